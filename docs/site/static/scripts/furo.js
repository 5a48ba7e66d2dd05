/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces the script of the theme, which Debian ships as a module that browsers do not load from a file. The button of the theme
 * switches between the colours of the system, light and dark. */
(function () {
  "use strict";
  var themes = ["auto", "light", "dark"];

  function show(theme) {
    document.body.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  }

  document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll(".theme-toggle").forEach(function (button) {
      button.addEventListener("click", function () {
        show(themes[(themes.indexOf(document.body.dataset.theme) + 1) % themes.length]);
      });
    });
  });
})();
