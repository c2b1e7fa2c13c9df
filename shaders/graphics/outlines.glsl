// SPDX-License-Identifier: Apache-2.0
// Markers as signed distances (negative inside). Sizes are relative to the half diameter; svg_writer.cpp draws the same
// outlines. Requires the inputs place, fillColor, edgeColor, widths and kind, as in shapes.frag.
#ifndef SEPX_OUTLINES_GLSL
#define SEPX_OUTLINES_GLSL

float boxDistance(vec2 at, vec2 extent) {
  const vec2 d = abs(at) - extent;
  return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0);
}

float shapeDistance(vec2 at) {
  const float size = place.z;
  switch (kind) {
    case 1u: return boxDistance(at, vec2(0.85 * size));
    case 2u: return (abs(at.x) + abs(at.y) - size) * 0.70710678;
    case 3u: return max(at.y, 0.8660254 * abs(at.x) - 0.5 * at.y) - 0.5 * size;
    case 4u: {
      const vec2 turned = vec2(at.x + at.y, at.x - at.y) * 0.70710678;
      return min(boxDistance(turned, vec2(size, 0.36 * size)), boxDistance(turned, vec2(0.36 * size, size)));
    }
    case 6u: {
      const float radius = min(widths.y, min(place.z, place.w));
      return boxDistance(at, place.zw - radius) - radius;
    }
    default: return length(at) - size;
  }
}

// The marker's colour at this pixel, premultiplied.
vec4 shapeColor() {
  const float distance = shapeDistance(gl_FragCoord.xy - place.xy);
  const float outer = clamp(0.5 - distance, 0.0, 1.0);
  const float inner = widths.x > 0.0 ? clamp(0.5 - distance - widths.x, 0.0, 1.0) : outer;
  const vec4 inside = kind == 5u ? vec4(0.0) : premultiplied(fillColor, inner);  // a ring is only its edge
  return premultiplied(edgeColor, outer - inner) + inside;
}

#endif
