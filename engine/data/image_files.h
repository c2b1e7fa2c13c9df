// SPDX-License-Identifier: Apache-2.0
// Images from a stranger's files: CIFAR-10 in its binary version, and IDX, the format of MNIST. Files may be gzip. Any
// thread. Every refusal is BadInput with one sentence; where a file is missing it says what to download and where to
// put it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/data/gzip_file.h"
#include "engine/data/images.h"

namespace sepx::data {

/// Where the files of a set are looked for when a config names no folder: datasets/NAME in the program's data folder.
std::string imageFolder(std::string_view name);

/// data_batch_1.bin ... data_batch_5.bin and test_batch.bin: records of one byte (the class) and 3 x 32 x 32 bytes,
/// channel by channel. Names of the classes from batches.meta.txt where it is there.
Result<ImageFiles> readCifar10(const std::string& folder, std::size_t limit, const WhileReading& whileReading = {});

/// train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte (also with a dot
/// before "idx", also .gz): big-endian headers of magic number and sizes. Images [count, side, side], or
/// [count, channels, side, side] with "idx4" in the name.
Result<ImageFiles> readIdx(const std::string& folder, std::size_t limit, const WhileReading& whileReading = {});

/// One sentence: this program does not read ImageNet's archives, and what to do.
std::string imageNetSentence();

}  // namespace sepx::data
