// What streamlit says where the app has ended, in words of this app: it needs no Internet, and nothing is lost.
// The script may run several times in one window.
if (!globalThis.rollcallGone) {
  const words =
    "Rollcall has ended, or this machine slept. Start it again (make run), and this page goes on by itself. " +
    "What you said is kept.";
  globalThis.rollcallGone = new MutationObserver(() => {
    for (const said of document.querySelectorAll('[role="dialog"] div')) {
      const here = !said.childElementCount && said.textContent.startsWith("Streamlit server is not responding");
      if (here) said.textContent = words;
    }
  });
  globalThis.rollcallGone.observe(document.body, { childList: true }); // dialogs come at its end
}
