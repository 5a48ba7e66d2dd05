// SPDX-License-Identifier: BSD-3-Clause
// The animation of a report: points and bonds of the frames in the element #motion.
(function () {
  "use strict";
  var data = document.getElementById("motion");
  var canvas = document.getElementById("stage");
  if (!data || !canvas) {
    return;
  }
  var m = JSON.parse(data.textContent);
  var play = document.getElementById("play");
  var slider = document.getElementById("at");
  var speed = document.getElementById("speed");
  var clock = document.getElementById("clock");
  var pen = canvas.getContext("2d");
  var n = m.frames.length;
  var count = m.kinds.length;
  var tints = m.colours.split(" ");
  var elements = { H: "#8d99a6", O: tints[4], N: tints[0], C: "#59636e" };
  var at = 0; // in frames, fractional
  var playing = false;
  var turn = m.axes === 3 ? { yaw: -0.6, pitch: 0.35 } : null;
  var box = bounds();

  // ---- positions ----

  function bounds() {
    var low = [Infinity, Infinity, Infinity];
    var high = [-Infinity, -Infinity, -Infinity];
    function take(axis, value) {
      if (value !== null && value !== undefined) {
        low[axis] = Math.min(low[axis], value);
        high[axis] = Math.max(high[axis], value);
      }
    }
    m.frames.forEach(function (frame) {
      for (var i = 0; i < frame.length; i++) {
        take(i % m.axes, frame[i]);
      }
    });
    m.anchors.forEach(function (anchor) {
      for (var axis = 0; axis < m.axes; axis++) {
        take(axis, anchor[1 + axis]);
      }
    });
    var middle = [];
    var reach = 0;
    for (var axis = 0; axis < m.axes; axis++) {
      middle.push((low[axis] + high[axis]) / 2);
      reach = Math.max(reach, high[axis] - low[axis]);
    }
    return { low: low, high: high, middle: middle, reach: reach > 0 ? reach : 1 };
  }

  // Point i at a fractional frame, by linear interpolation.
  function place(i, where) {
    var first = Math.min(Math.floor(where), n - 1);
    var next = Math.min(first + 1, n - 1);
    var part = where - first;
    var found = [];
    for (var axis = 0; axis < m.axes; axis++) {
      var a = m.frames[first][i * m.axes + axis];
      var b = m.frames[next][i * m.axes + axis];
      if (a === null || b === null) {
        return null;
      }
      found.push(a + part * (b - a));
    }
    return found;
  }

  // The size of the drawing in pixels, and the scales and the centre of the box.
  function view() {
    var width = canvas.clientWidth;
    var height = canvas.clientHeight;
    var left = turn ? 16 : 46;
    var below = turn ? 16 : 30;
    var free = { width: width - left - 16, height: height - below - 16 };
    var wide = turn ? box.reach * 1.35 : (box.high[0] - box.low[0]) * 1.12 || box.reach;
    var tall = turn ? box.reach * 1.35 : (box.high[1] - box.low[1]) * 1.12 || box.reach;
    var scale = Math.min(free.width / wide, free.height / tall);
    // An orbit with an extreme aspect ratio has separate scales for x and y.
    var apart = m.is_orbit && !(wide / tall > 0.1 && wide / tall < 10);
    var sx = apart ? free.width / wide : scale;
    var sy = apart ? free.height / tall : scale;
    return { width: width, height: height, left: left, below: below, sx: sx, sy: sy,
      x: left + free.width / 2, y: 16 + free.height / 2 };
  }

  // (x, y, depth) on the canvas; z points upwards.
  function project(v, p) {
    var x = p[0] - box.middle[0];
    var y = p[1] - box.middle[1];
    if (!turn) {
      return [v.x + v.sx * x, v.y - v.sy * y, 0];
    }
    var z = p[2] - box.middle[2];
    var along = Math.cos(turn.yaw) * x - Math.sin(turn.yaw) * y;
    var away = Math.sin(turn.yaw) * x + Math.cos(turn.yaw) * y;
    var up = Math.cos(turn.pitch) * z + Math.sin(turn.pitch) * away;
    return [v.x + v.sx * along, v.y - v.sy * up, Math.cos(turn.pitch) * away - Math.sin(turn.pitch) * z];
  }

  // ---- the drawing ----

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function tint(i) {
    var kind = m.kinds[i];
    return elements[m.kind_names[kind]] || tints[kind % tints.length];
  }

  function line(a, b) {
    pen.beginPath();
    pen.moveTo(a[0], a[1]);
    pen.lineTo(b[0], b[1]);
    pen.stroke();
  }

  // The distance of ticks, 1, 2 or 5 times a power of ten; four or more fit into the length.
  function unit(length) {
    var power = Math.pow(10, Math.floor(Math.log10(length / 4)));
    var times = length / 4 / power;
    return power * (times >= 5 ? 5 : times >= 2 ? 2 : 1);
  }

  function label(value, step) {
    if (Math.abs(value) < step / 1e6) {
      return "0";
    }
    return Math.abs(value) >= 1e5 || step < 1e-4 ? value.toExponential(1) : String(Number(value.toPrecision(6)));
  }

  function scale(v, axis, across) {
    var shown = across / (axis === 0 ? v.sx : v.sy);
    var step = unit(shown);
    var begin = box.middle[axis] - shown / 2;
    for (var i = Math.ceil(begin / step); i * step <= begin + shown; i++) {
      var value = i * step;
      var p = axis === 0 ? project(v, [value, box.middle[1]]) : project(v, [box.middle[0], value]);
      pen.strokeStyle = colour("--grid");
      pen.fillStyle = colour("--soft");
      if (axis === 0) {
        line([p[0], 16], [p[0], v.height - v.below]);
        pen.textAlign = "center";
        pen.fillText(label(value, step), p[0], v.height - v.below + 16);
      } else {
        line([v.left, p[1]], [v.width - 16, p[1]]);
        pen.textAlign = "right";
        pen.fillText(label(value, step), v.left - 6, p[1] + 4);
      }
    }
  }

  function frame2(v) {
    pen.lineWidth = 1;
    pen.font = "12px system-ui, sans-serif";
    scale(v, 0, v.width - v.left - 16);
    scale(v, 1, v.height - v.below - 16);
    pen.fillStyle = colour("--ink");
    pen.textAlign = "right";
    pen.fillText(m.names[0], v.width - 18, v.height - v.below - 6);
    pen.textAlign = "left";
    pen.fillText(m.names[1], v.left + 4, 28);
  }

  // Draws the directions of the axes in the corner, and a scale bar.
  function frame3(v) {
    var corner = [46, v.height - 46];
    pen.lineWidth = 1.2;
    pen.font = "12px system-ui, sans-serif";
    pen.textAlign = "center";
    for (var axis = 0; axis < 3; axis++) {
      var tip = box.middle.slice();
      tip[axis] += 26 / v.sx;
      var p = project(v, tip);
      var end = [corner[0] + p[0] - v.x, corner[1] + p[1] - v.y];
      pen.strokeStyle = colour("--soft");
      pen.fillStyle = colour("--soft");
      line(corner, end);
      pen.fillText(m.names[axis], corner[0] + 1.4 * (end[0] - corner[0]), corner[1] + 1.4 * (end[1] - corner[1]) + 4);
    }
    var step = unit(box.reach);
    var from = [v.width - 16 - step * v.sx, v.height - 18];
    line(from, [v.width - 16, v.height - 18]);
    pen.textAlign = "right";
    pen.fillText(label(step, step), v.width - 16, v.height - 24);
  }

  function path(v, i, first, last, alpha) {
    pen.globalAlpha = alpha;
    pen.strokeStyle = tint(i);
    pen.beginPath();
    for (var k = first; k <= last; k++) {
      var where = place(i, k);
      if (where) {
        var p = project(v, where);
        pen.lineTo(p[0], p[1]);
      }
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  function paths(v) {
    pen.lineWidth = 1.2;
    for (var i = 0; i < count && count <= 8; i++) {
      if (count <= 2) {
        path(v, i, 0, n - 1, 0.25);
      }
      path(v, i, Math.max(0, Math.floor(at) - Math.max(20, n / 25)), Math.floor(at), 0.8);
    }
  }

  function dot(p, radius, fill) {
    pen.beginPath();
    pen.arc(p[0], p[1], radius, 0, 2 * Math.PI);
    pen.fillStyle = fill;
    pen.fill();
    pen.strokeStyle = colour("--card");
    pen.lineWidth = 1;
    pen.stroke();
  }

  function things(v) {
    var list = [];
    var shown = [];
    for (var i = 0; i < count; i++) {
      var where = place(i, at);
      shown.push(where && project(v, where));
      if (shown[i]) {
        list.push({ depth: shown[i][2], point: i });
      }
    }
    function bond(a, b) {
      if (a && b) {
        list.push({ depth: (a[2] + b[2]) / 2 + 1e-9 * box.reach, a: a, b: b });
      }
    }
    m.bonds.forEach(function (pair) { bond(shown[pair[0]], shown[pair[1]]); });
    m.anchors.forEach(function (anchor) {
      var end = project(v, anchor.slice(1));
      bond(shown[anchor[0]], end);
      list.push({ depth: end[2], anchor: end });
    });
    list.sort(function (x, y) { return y.depth - x.depth; });
    var radius = Math.max(2, Math.min(7, 60 / Math.sqrt(count + 40)));
    var ink = colour("--soft");
    list.forEach(function (thing) {
      if (thing.a) {
        pen.strokeStyle = ink;
        pen.lineWidth = Math.max(1.2, radius / 3);
        line(thing.a, thing.b);
      } else if (thing.anchor) {
        pen.fillStyle = ink;
        pen.fillRect(thing.anchor[0] - 3.5, thing.anchor[1] - 3.5, 7, 7);
      } else {
        var near = turn ? 1 - 0.25 * thing.depth / box.reach : 1;
        dot(shown[thing.point], radius * near, tint(thing.point));
      }
    });
  }

  function draw() {
    var ratio = window.devicePixelRatio || 1;
    var v = view();
    if (canvas.width !== Math.round(v.width * ratio) || canvas.height !== Math.round(v.height * ratio)) {
      canvas.width = Math.round(v.width * ratio);
      canvas.height = Math.round(v.height * ratio);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, v.width, v.height);
    pen.lineCap = "round";
    pen.lineJoin = "round";
    (turn ? frame3 : frame2)(v);
    paths(v);
    things(v);
    var first = Math.min(Math.floor(at), n - 1);
    var next = Math.min(first + 1, n - 1);
    var t = m.t[first] + (at - first) * (m.t[next] - m.t[first]);
    var step = Math.abs(m.t[n - 1] - m.t[0]) / n;
    var digits = step > 0 ? Math.max(0, Math.min(8, Math.ceil(-Math.log10(step)))) : 2;
    clock.textContent = "t = " + t.toFixed(digits);
    slider.value = String(at);
  }

  // ---- the clock ----

  var rate = n / Math.max(4, Math.min(30, n / 30)); // frames in a second
  var before = 0;

  function tick(now) {
    if (!playing) {
      return;
    }
    at += rate * Number(speed.value) * Math.max(0, Math.min(now - before, 100)) / 1000;
    before = now;
    at = at > n - 1 ? 0 : at;
    draw();
    window.requestAnimationFrame(tick);
  }

  function set(wanted) {
    playing = wanted && n > 1;
    play.textContent = playing ? "Pause" : "Play";
    before = window.performance.now();
    if (playing) {
      window.requestAnimationFrame(tick);
    }
  }

  play.addEventListener("click", function () { set(!playing); });
  slider.max = String(n - 1);
  slider.addEventListener("input", function () {
    set(false);
    at = Number(slider.value);
    draw();
  });
  if (turn) {
    var held = null;
    canvas.addEventListener("pointerdown", function (event) {
      held = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", function (event) {
      if (held) {
        turn.yaw += (event.clientX - held[0]) / 150;
        turn.pitch = Math.max(-1.5, Math.min(1.5, turn.pitch + (event.clientY - held[1]) / 150));
        held = [event.clientX, event.clientY];
        draw();
      }
    });
    ["pointerup", "pointercancel"].forEach(function (name) {
      canvas.addEventListener(name, function () { held = null; });
    });
  }
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  window.addEventListener("resize", draw);
  draw();
  set(!window.matchMedia("(prefers-reduced-motion: reduce)").matches);
})();
