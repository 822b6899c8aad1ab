// Says to the viewer of the report, which comes after this script, what it is to show.
"use strict";
window.SEEN = { panorama: document.getElementById("seen").dataset.panorama };
