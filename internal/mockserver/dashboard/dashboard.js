// Without this script the page stands still, and pictures open on their own page.

// morph makes a node equal to another one and keeps what is the same, so that
// what was opened or selected stays so.
function morph(node, next) {
  if (node.isEqualNode(next)) return;
  if (node.nodeType !== Node.ELEMENT_NODE || node.nodeName !== next.nodeName) return node.replaceWith(next);
  for (const { name } of [...node.attributes]) if (name !== "open" && !next.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of next.attributes) if (name !== "open") node.setAttribute(name, value);
  let at = node.firstChild;
  for (const child of [...next.childNodes]) {
    const twin = child.id ? document.getElementById(child.id) : at;
    if (!twin || (twin.id ?? "") !== (child.id ?? "")) {
      node.insertBefore(child, at);
      continue;
    }
    if (twin === at) at = at.nextSibling;
    else node.insertBefore(twin, at);
    morph(twin, child);
  }
  while (at) {
    const after = at.nextSibling;
    at.remove();
    at = after;
  }
}

const events = new EventSource("/_mock/events");
events.onmessage = ({ data }) => {
  const next = document.createElement("main");
  next.innerHTML = JSON.parse(data);
  morph(document.querySelector("main"), next);
  document.body.classList.remove("unanswered");
};
events.onerror = () => document.body.classList.add("unanswered");

document.querySelector("#reset").onsubmit = (event) => {
  event.preventDefault();
  fetch(event.target.action, { method: "POST" });
  event.target.hidePopover();
};

const enlarged = document.body.appendChild(document.createElement("dialog"));
enlarged.onclick = () => enlarged.close();
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.picture");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const picture = new Image();
  picture.src = link.href;
  picture.alt = link.firstElementChild.alt;
  enlarged.replaceChildren(picture);
  enlarged.showModal();
});
