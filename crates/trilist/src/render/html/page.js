(() => {
  "use strict";
  const MODES = ["fs", "files", "vcs"];
  const MEANS = { fs: "on disk", files: "what a searcher sees", vcs: "what git knows" };
  // Reasons that a rule or a list gives; the others are facts.
  const CUTS = new Set(["ignored", "builtin", "hidden", "protected", "pattern", "depth"]);
  const SHOWN_AT_ONCE = 1000;
  const OPENED_BY_SEARCH = 300;

  const by = (id) => document.getElementById(id);
  const read = (id) => JSON.parse(by(id).textContent);
  const number = (n) => n.toLocaleString("en-US");
  const many = (n, one, more) => `${number(n)} ${n === 1 ? one : more}`;

  // Names are only ever set as text: what a repository contains is data.
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  let head, rows, end;
  try {
    head = read("head");
    rows = read("rows");
    end = read("end");
  } catch {
    by("lead").textContent = "";
    by("banners").append(make("p", "banner",
      "This page is cut off: the comparison was interrupted while it was written. Make it again."));
    return;
  }

  // A row is [names shared with the row before, its other names, kind, fs, files, vcs, folded,
  // in chat]; a cell 1 for a listed path, 0 for a mode that was not asked, else an object, or the
  // number of an object that came before.
  const MOST_KNOWN = 4096;
  const FIRST_NUMBER = 2;
  const known = [];
  const cellAt = (cell) => {
    if (typeof cell === "object") {
      if (known.length < MOST_KNOWN) known.push(cell);
      return cell;
    }
    return cell < FIRST_NUMBER ? cell : known[cell - FIRST_NUMBER];
  };
  const root = { name: "", parent: null, children: [], level: 0, open: true, total: 0, listed: [0, 0, 0] };
  const leaves = [];
  const build = () => {
    let way = [root];
    for (const [shared, names, kind, fs, files, vcs, folded, chat] of rows) {
      way.length = shared + 1;
      names.forEach((name, at) => {
        const parent = way[way.length - 1];
        const node = { name, parent, children: [], level: way.length, open: false, total: 0, listed: [0, 0, 0], hits: 0 };
        if (at === names.length - 1) {
          Object.assign(node, { row: true, kind, cells: [fs, files, vcs].map(cellAt), folded, chat });
          leaves.push(node);
        }
        parent.children.push(node);
        way.push(node);
      });
    }
    for (const leaf of leaves) {
      leaf.path = pathOf(leaf).toLowerCase();
      leaf.same = leaf.cells.every((cell) => cell === 0 || isListed(cell)) && !leaf.cells.some((cell) => cell.kind);
      for (let node = leaf; node; node = node.parent) {
        node.total += 1;
        leaf.cells.forEach((cell, at) => { node.listed[at] += isListed(cell) ? 1 : 0; });
      }
    }
  };
  const isListed = (cell) => cell === 1 || (typeof cell === "object" && !cell.reason);
  const pathOf = (node) => {
    const names = [];
    for (let at = node; at.parent; at = at.parent) names.unshift(at.name);
    return names.join("/");
  };
  const isFolder = (node) => node.children.length > 0;

  // What is asked of the rows.
  const asked = { text: "", modes: new Set(), reasons: new Set(), chat: false, differing: false };
  let limit = SHOWN_AT_ONCE;
  let focused = null;
  let hits = 0;

  const matches = (leaf) => {
    if (asked.chat && !leaf.chat) return false;
    if (asked.differing && leaf.same) return false;
    if (asked.text && !leaf.path.includes(asked.text)) return false;
    if (asked.modes.size === 0 && asked.reasons.size === 0) return true;
    return leaf.cells.some((cell, at) => cell.reason
      && (asked.modes.size === 0 || asked.modes.has(MODES[at]))
      && (asked.reasons.size === 0 || asked.reasons.has(cell.reason)));
  };
  const isAsked = () => asked.text || asked.modes.size || asked.reasons.size || asked.chat || asked.differing;

  const filter = () => {
    hits = 0;
    const clear = (node) => { node.hits = 0; node.children.forEach(clear); };
    clear(root);
    for (const leaf of leaves) {
      if (!matches(leaf)) continue;
      hits += 1;
      for (let node = leaf; node; node = node.parent) node.hits += 1;
    }
    if (isAsked() && hits <= OPENED_BY_SEARCH) {
      const open = (node) => { if (node.hits > 0 && isFolder(node)) { node.open = true; node.children.forEach(open); } };
      open(root);
    }
    limit = SHOWN_AT_ONCE;
    draw();
  };

  // The rows that are visible, in order: at most so many.
  const visible = () => {
    const found = [];
    let rest = 0;
    const go = (node) => {
      for (const child of node.children) {
        if (child.hits === 0) continue;
        if (found.length < limit) found.push(child); else rest += 1;
        if (child.open) go(child);
      }
    };
    go(root);
    return [found, rest];
  };

  const word = (reason) => head.words[reason] || reason;
  const cellOf = (cell) => {
    const box = make("div", "cell");
    box.setAttribute("role", "gridcell");
    if (cell === 0) {
      box.append(make("span", "badge", "not asked"));
    } else if (isListed(cell)) {
      box.append(make("span", "badge yes", "listed"));
      if (cell.note) box.append(make("span", "why", cell.note));
    } else {
      box.append(make("span", CUTS.has(cell.reason) ? "badge cut" : "badge no", word(cell.reason)));
      const why = [cell.rule, cell.below && `below ${cell.below}/`].filter(Boolean).join(" ");
      if (why) box.append(make("span", "why", why));
    }
    return box;
  };

  // A folder sums up its rows, which need not be all paths below it.
  const rowsOf = (count) => many(count, "row", "rows");
  const SIGNS = { d: "/", s: "/", l: "@", o: "?", f: "" };
  const rowOf = (node, index) => {
    const folder = isFolder(node);
    const row = make("div", folder ? "row folder" : "row");
    row.setAttribute("role", "row");
    row.setAttribute("aria-level", node.level);
    row.setAttribute("aria-rowindex", index + 2);
    row.tabIndex = -1;
    row.node = node;
    const name = make("div", "name");
    name.setAttribute("role", "rowheader");
    name.style.setProperty("padding-left", `${(node.level - 1) * 1.15}rem`);
    const twist = make("span", "twist", folder ? "▸" : "");
    twist.setAttribute("aria-hidden", "true");
    name.append(twist, make("code", "", node.name + (folder ? "/" : SIGNS[node.kind])));
    if (node.row && node.folded) {
      const [mode, files, dirs, sparse] = node.folded;
      const what = [many(files, "file", "files"), dirs && many(dirs, "directory", "directories"),
        sparse && `${number(sparse)} skip-worktree`];
      name.append(make("span", "note", `${what.filter(Boolean).join(", ")}, only in ${mode}`));
    }
    if (node.chat) name.append(make("span", "badge chat", "in chat"));
    row.append(name);
    if (node.row) {
      node.cells.forEach((cell) => row.append(cellOf(cell)));
    } else {
      row.setAttribute("aria-expanded", node.open);
      name.append(make("span", "note",
        node.hits === node.total ? rowsOf(node.total) : `${number(node.hits)} of ${rowsOf(node.total)}`));
      node.listed.forEach((count, at) => {
        const asks = head.modes[MODES[at]].available;
        const cell = make("div", "cell sum", asks ? `${number(count)} of ${rowsOf(node.total)} listed` : "");
        cell.setAttribute("role", "gridcell");
        row.append(cell);
      });
    }
    return row;
  };

  const draw = () => {
    const [found, rest] = visible();
    const body = by("body");
    body.replaceChildren(...found.map(rowOf));
    by("grid").setAttribute("aria-rowcount", found.length + rest + 1);
    by("empty").hidden = hits > 0;
    by("more").hidden = rest === 0;
    by("more-button").textContent = `Show ${number(Math.min(rest, SHOWN_AT_ONCE))} more of ${number(rest)} rows`;
    by("found").textContent = isAsked() ? `${many(hits, "row", "rows")} of ${number(leaves.length)}` : many(leaves.length, "row", "rows");
    const at = found.indexOf(focused);
    focus(body.children[at < 0 ? 0 : at], false);
  };

  const focus = (row, really) => {
    for (const old of by("body").querySelectorAll('[tabindex="0"]')) old.tabIndex = -1;
    if (!row) { focused = null; return; }
    row.tabIndex = 0;
    focused = row.node;
    if (really) row.focus();
  };

  const toggle = (node, open = !node.open) => {
    if (!isFolder(node)) return;
    const had = by("body").contains(document.activeElement);
    node.open = open;
    focused = node;
    draw();
    if (had) by("body").querySelector('[tabindex="0"]')?.focus();
  };

  const tell = (node) => {
    const box = by("told");
    box.replaceChildren(make("p", "where", pathOf(node) + (isFolder(node) ? "/" : SIGNS[node.kind] ?? "")));
    if (!node.row) {
      box.append(make("p", "", `${rowsOf(node.total)} below`));
      return;
    }
    node.cells.forEach((cell, at) => {
      const line = make("p");
      line.append(make("b", "", MODES[at]));
      let what = "not asked";
      if (cell !== 0) {
        what = isListed(cell) ? ["listed", cell.note].filter(Boolean).join(", ") : word(cell.reason);
        if (cell.below) what += `, as is ${cell.below}/`;
        if (cell.rule) what += `, by the rule ${cell.rule}`;
      }
      line.append(` ${what}`);
      box.append(line);
    });
  };

  const keys = (event) => {
    const row = event.target.closest("[aria-level]");
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const { node } = row;
    const all = by("body").children;
    const moves = {
      ArrowDown: () => row.nextElementSibling && focus(row.nextElementSibling, true),
      ArrowUp: () => row.previousElementSibling && focus(row.previousElementSibling, true),
      Home: () => focus(all[0], true),
      End: () => focus(all[all.length - 1], true),
      ArrowRight: () => (isFolder(node) && !node.open ? toggle(node, true) : node.open && focus(row.nextElementSibling, true)),
      ArrowLeft: () => {
        if (isFolder(node) && node.open) return toggle(node, false);
        const parent = [...all].find((other) => other.node === node.parent);
        return parent && focus(parent, true);
      },
      Enter: () => toggle(node),
      " ": () => toggle(node),
    };
    if (moves[event.key]) {
      event.preventDefault();
      moves[event.key]();
    }
  };

  const chip = (label, count, turn) => {
    const button = make("button", "chip", label);
    if (count !== null) button.append(make("b", "", number(count)));
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", on);
      turn(on);
      filter();
    });
    return button;
  };
  const turn = (set, value) => (on) => (on ? set.add(value) : set.delete(value));

  const chips = () => {
    const reasons = new Map();
    const lacking = [0, 0, 0];
    for (const leaf of leaves) {
      const own = new Set();
      leaf.cells.forEach((cell, at) => {
        if (!cell.reason) return;
        lacking[at] += 1;
        own.add(cell.reason);
      });
      own.forEach((reason) => reasons.set(reason, (reasons.get(reason) || 0) + 1));
    }
    MODES.forEach((mode, at) => {
      if (lacking[at] > 0) by("modes").append(chip(mode, lacking[at], turn(asked.modes, mode)));
    });
    [...reasons].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).forEach(([reason, count]) => {
      by("reasons").append(chip(word(reason), count, turn(asked.reasons, reason)));
    });
    const others = by("others");
    const same = leaves.filter((leaf) => leaf.same).length;
    const chat = leaves.filter((leaf) => leaf.chat).length;
    if (same > 0) others.append(chip("only what differs", leaves.length - same, (on) => { asked.differing = on; }));
    if (chat > 0) others.append(chip("in chat", chat, (on) => { asked.chat = on; }));
    const all = (label, open) => {
      const button = make("button", "", label);
      button.type = "button";
      button.addEventListener("click", () => {
        const set = (node) => node.children.forEach((child) => { child.open = open && isFolder(child); set(child); });
        set(root);
        draw();
      });
      others.append(button);
    };
    all("Unfold all", true);
    all("Fold all", false);
  };

  const summary = () => {
    const lead = by("lead");
    const least = end.at_least ? "at least " : "";
    lead.replaceChildren(least && "At least ", make("strong", "", number(end.differing)),
      ` of ${least}${many(end.compared, "path", "paths")} ${end.differing === 1 ? "differs" : "differ"}. ${head.asked}`);
    const banner = (text) => by("banners").append(make("p", "banner", text));
    if (end.at_least) banner("This is not all: the comparison was ended before it had every path.");
    else if (end.truncated) banner(`This is not all: it has ${rowsOf(leaves.length)} of ${number(end.total)}.`);
    if (end.in_chat) {
      const { files, rows: marked, returned } = end.in_chat;
      lead.append(` In the chat: ${many(files, "file", "files")}; ${number(marked)} with a row, ${number(returned)} on this page.`);
    }
    (end.notices || []).forEach(banner);
    const warnings = [];
    for (const mode of MODES) {
      const column = end.modes[mode];
      const card = make("div", "card");
      const title = make("h2", "", mode);
      title.append(make("span", "", MEANS[mode]));
      card.append(title);
      if (head.modes[mode].available) {
        card.append(make("p", "count", `${least}${number(column.listed)} listed`));
        const absent = column.absent.map(({ reason, count }) => `${least}${number(count)} ${word(reason)}`);
        card.append(make("p", "", absent.length ? `Not listed: ${absent.join(", ")}.` : "It lists every path."));
      } else {
        card.append(make("p", "count", "not compared"));
      }
      if (column.error) card.append(make("p", "", column.error.message));
      by("cards").append(card);
      column.warnings.forEach((one) => warnings.push(`${mode}: ${one.path}: ${one.message}${one.gap ? " (paths may be missing)" : ""}`));
      const untold = column.warnings_total - column.warnings.length;
      if (untold > 0) warnings.push(`${mode}: and ${many(untold, "more warning", "more warnings")}`);
      if (column.gaps > 0) banner(`${mode} may lack paths: ${many(column.gaps, "place", "places")} could not be read.`);
    }
    if (warnings.length > 0) {
      const box = make("details", "warn");
      const list = make("ul");
      warnings.forEach((text) => list.append(make("li", "", text)));
      box.append(make("summary", "", many(warnings.length, "warning", "warnings")), list);
      by("banners").append(box);
    }
  };

  const start = () => {
    build();
    summary();
    chips();
    // Little is seen at once; much waits to be asked for.
    if (leaves.length <= OPENED_BY_SEARCH) {
      const open = (node) => { node.open = isFolder(node); node.children.forEach(open); };
      root.children.forEach(open);
    }
    const body = by("body");
    // What is told of a row covers the lowest ones: not before the button is up over it.
    let isPressed = false;
    body.addEventListener("pointerdown", () => { isPressed = true; });
    for (const end of ["pointerup", "pointercancel"]) {
      document.addEventListener(end, () => { isPressed = false; });
    }
    body.addEventListener("click", (event) => {
      const row = event.target.closest("[aria-level]");
      if (!row) return;
      focus(row, true);
      tell(row.node);
      if (event.target.closest(".name")) toggle(row.node);
    });
    body.addEventListener("keydown", keys);
    body.addEventListener("focusin", (event) => {
      const row = event.target.closest("[aria-level]");
      if (row) { focus(row, false); if (!isPressed) tell(row.node); }
    });
    by("more-button").addEventListener("click", () => { limit += SHOWN_AT_ONCE; draw(); });
    const search = by("search");
    let waiting = 0;
    search.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { asked.text = search.value.toLowerCase(); filter(); }, 80);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && document.activeElement !== search) {
        event.preventDefault();
        search.focus();
      }
    });
    filter();
    document.documentElement.dataset.ready = "yes";
  };
  start();
})();
