// A folder that is dropped keeps its paths: streamlit sends those of a chosen folder alone, so that pictures lose the
// folders by which their captions call them. The script may run several times in one window.
if (!globalThis.rollcallFolders) {
  const chosen = Object.getOwnPropertyDescriptor(File.prototype, "webkitRelativePath");
  globalThis.rollcallFolders = true;
  Object.defineProperty(File.prototype, "webkitRelativePath", {
    ...chosen,
    get() {
      const dropped = (this.relativePath ?? "").replace(/^\.?\//, ""); // what takes a drop apart writes it there
      return chosen.get.call(this) || (dropped.includes("/") ? dropped : "");
    },
  });
}
