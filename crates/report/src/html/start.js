// ---- keys ----------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (!player || !player.run || event.ctrlKey || event.altKey || event.metaKey) return;
  const target = event.target;
  if (event.key === "Escape" && target instanceof HTMLInputElement) { target.blur(); return; }
  if (target instanceof HTMLSelectElement || target instanceof HTMLInputElement && target.type !== "checkbox") return;
  const act = {
    ArrowRight: () => player.go(player.at + 1), ArrowLeft: () => player.go(player.at - 1),
    PageDown: () => player.go(player.at + 10), PageUp: () => player.go(player.at - 10),
    Home: () => player.go(0), End: () => player.go(player.frames.count - 1),
    o: () => player.goToStep(player.run.story.opens_at),
    n: () => player.jump(1), p: () => player.jump(-1),
    e: () => player.watch.focus(), f: () => player.filter.focus(),
    c: () => player.turn(), "?": () => { player.help.open = !player.help.open; },
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
addEventListener("hashchange", readFragment);
readFragment();
