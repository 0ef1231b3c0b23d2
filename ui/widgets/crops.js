import { make } from "./nodes.js";

export const SILHOUETTE = "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>" +
  "<rect width='100' height='100' fill='%23b9b4a8'/><circle cx='50' cy='40' r='19' fill='%23e9e5dc'/>" +
  "<path d='M14 100Q16 66 50 66Q84 66 86 100Z' fill='%23e9e5dc'/></svg>";

// A face's picture; a silhouette if it cannot be shown.
export function crop(picture, alt) {
  const image = make("img", { src: picture, alt, draggable: "false" });
  const replace = () => image.setAttribute("src", SILHOUETTE);
  image.addEventListener("error", replace, { once: true });
  return image;
}
