// The panorama as who stands there sees it: each pixel of the view asks where on the sphere around one it lies.
"use strict";
(() => {
  const CORNERS = `
    attribute vec2 corner;
    varying vec2 at;
    void main() { at = corner; gl_Position = vec4(corner, 0.0, 1.0); }`;
  const VIEW = `
    #ifdef GL_FRAGMENT_PRECISION_HIGH
    precision highp float;
    #else
    precision mediump float;
    #endif
    uniform sampler2D picture;
    uniform vec2 reach;
    uniform vec2 way;
    varying vec2 at;
    const float PI = 3.14159265358979;
    void main() {
      vec2 aside = at * reach;
      float c = cos(way.y), s = sin(way.y);
      vec3 ray = vec3(aside.x, aside.y * c + s, c - aside.y * s);
      float around = atan(ray.x, ray.z) + way.x;
      float above = atan(ray.y, length(ray.xz));
      gl_FragColor = vec4(texture2D(picture, vec2(around / (2.0 * PI) + 0.5, 0.5 - above / PI)).rgb, 1.0);
    }`;

  function program(gl) {
    const made = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, CORNERS], [gl.FRAGMENT_SHADER, VIEW]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    return gl.getProgramParameter(made, gl.LINK_STATUS) ? made : null;
  }

  // Textures repeat only where their sides are powers of two.
  function sized(image) {
    const [width, height] = [image.width, image.height].map((side) => 2 ** Math.round(Math.log2(side)));
    if (width === image.width && height === image.height) return image;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d").drawImage(image, 0, 0, width, height);
    return canvas;
  }

  function texture(gl, image) {
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, gl.RGB, gl.UNSIGNED_BYTE, sized(image));
    for (const [name, value] of [
      [gl.TEXTURE_WRAP_S, gl.REPEAT],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR],
      [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
    ]) gl.texParameteri(gl.TEXTURE_2D, name, value);
  }

  // A canvas that shows where one looks; null where the browser can't draw it.
  function sphere(image) {
    const canvas = Osr.el("canvas", { class: "sphere" });
    const gl = canvas.getContext("webgl", { antialias: false });
    const made = gl && program(gl);
    if (!made) return null;
    gl.useProgram(made);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    const corner = gl.getAttribLocation(made, "corner");
    gl.enableVertexAttribArray(corner);
    gl.vertexAttribPointer(corner, 2, gl.FLOAT, false, 0, 0);
    texture(gl, image);
    const reach = gl.getUniformLocation(made, "reach");
    const way = gl.getUniformLocation(made, "way");
    const radians = (degrees) => (degrees * Math.PI) / 180;

    function draw() {
      const { heading, rise, span } = Osr.look.now;
      const sharp = Math.min(window.devicePixelRatio || 1, 2);
      const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.round(side * sharp));
      if (!width || !height) return;
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      const across = Math.tan(radians(span) / 2);
      gl.viewport(0, 0, width, height);
      gl.uniform2f(reach, across, (across * height) / width);
      gl.uniform2f(way, radians(heading), radians(rise));
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }

    return { canvas, draw, degrees: () => Osr.look.now.span / canvas.clientWidth };
  }

  Osr.sphere = sphere;
})();
