// SPDX-License-Identifier: BSD-3-Clause
//
// A controller around a linkage, in C++ with the C library: before each step it measures the angle of the
// crank and sets the torque of the motor.
//
//   u = Kp (target - angle) - Kd rate,  within the bounds of the input
//
//   sidewinder generate examples/forces/driven_linkage.sw -o .
//   cc -Ibuild/include -c driven_linkage.c
//   c++ -std=c++17 -I. -Ibuild/include examples/pd_controller.cpp driven_linkage.o
//      build/lib/libsidewinder.a -lsundials_kinsol -lklu -lbtf -lamd -lcolamd -lsuitesparseconfig -llapacke -ljansson -lm
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "driven_linkage.h"
#include "sidewinder/sim.h"

namespace
{

struct Free {
  void operator()(sw_sim *sim) const { sw_sim_free(&sim); }
};
using Sim = std::unique_ptr<sw_sim, Free>;

struct Measured { // the observables of the model, in their order
  double angle;
  double rate;
};

class Controller
{
public:
  explicit Controller(double target) : target_(target) {}

  double torque(const Measured &now) const
  {
    const double wanted = 300.0 * (target_ - now.angle) - 60.0 * now.rate;
    return std::clamp(wanted, -40.0, 40.0);
  }

private:
  double target_;
};

Measured measure(sw_sim *sim)
{
  double values[2];
  sw_sim_observe(sim, values);
  return {values[0], values[1]};
}

double energy(sw_sim *sim)
{
  double H;
  sw_sim_hamiltonian(sim, &H);
  return H;
}

} // namespace

int main()
{
  const double h = 0.005;
  const double target = 1.2;
  sw_options options;
  sw_sim *made = nullptr;

  sw_options_of_run(&sw_model_driven_linkage, nullptr, &options);
  if (sw_sim_create(&sw_model_driven_linkage, &options, &made) != SW_OK) {
    return 1;
  }
  const Sim sim(made);
  const Controller controller(target);
  const double before = energy(sim.get());

  for (int n = 1; n <= 1000; n++) {
    const double u = controller.torque(measure(sim.get()));
    if (sw_sim_set_inputs(sim.get(), &u) != SW_OK || sw_sim_step(sim.get(), h) != SW_OK) {
      std::fprintf(stderr, "%s\n", sw_sim_message(sim.get()));
      return 1;
    }
    if (n % 200 == 0) {
      const Measured now = measure(sim.get());
      std::printf("t %.0f  angle %.4f  rate %8.1e  torque %7.3f\n", sw_sim_time(sim.get()),
                  now.angle, std::fabs(now.rate), u);
    }
  }
  const double left = energy(sim.get()) - before - sw_sim_work(sim.get());
  std::printf("H - work changed by %.0e: %s\n", std::fabs(left),
              std::fabs(left) < 1e-3 ? "kept" : "lost");
  return 0;
}
