#include "sidewinder/model.h"
extern const sw_model sw_model_test;
