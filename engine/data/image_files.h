// SPDX-License-Identifier: Apache-2.0
// Reads images from untrusted files: the binary version of CIFAR-10, and IDX, the format of MNIST. Files may be gzip.
// Errors in the files are BadInput with one sentence; if a file is missing, it says what to download and where to put
// it. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/data/gzip_file.h"
#include "engine/data/images.h"

namespace sepx::data {

/// The folder of a data set if a config names none: datasets/NAME in the program's data folder.
std::string imageFolder(std::string_view name);

/// data_batch_1.bin ... data_batch_5.bin and test_batch.bin: records of one byte (the class) and 3 x 32 x 32 bytes,
/// channel by channel. The names of the classes are read from batches.meta.txt if it exists.
Result<ImageFiles> readCifar10(const std::string& folder, std::size_t limit, const WhileReading& whileReading = {});

/// train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte (also with a dot
/// before "idx", also .gz): big-endian headers of magic number and sizes. Images [count, side, side], or
/// [count, channels, side, side] with "idx4" in the name.
Result<ImageFiles> readIdx(const std::string& folder, std::size_t limit, const WhileReading& whileReading = {});

/// Error message: this program does not read ImageNet's archives, and what to do instead.
std::string imageNetSentence();

}  // namespace sepx::data
