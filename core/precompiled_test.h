// Headers that nearly every test needs, compiled once for all test programs.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "precompiled.h"
