import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { visible } from "../../core/text/index.ts";

/** pi draws what it is given: whatever an agent, a project or a file says is made visible on its way there, in one place. */
export function withSafeUi<C extends ExtensionContext>(ctx: C): C {
  let made: { readonly of: ExtensionContext["ui"]; readonly safe: ExtensionContext["ui"] } | undefined;
  return new Proxy(ctx, {
    get(target, key) {
      const value = Reflect.get(target, key, target);
      if (key !== "ui") return typeof value === "function" ? value.bind(target) : value;
      if (made?.of !== target.ui) made = { of: target.ui, safe: safeUi(target.ui) };
      return made.safe;
    },
  });
}

function safeUi(ui: ExtensionContext["ui"]): ExtensionContext["ui"] {
  const own: Partial<ExtensionContext["ui"]> = {
    notify: (text, type) => ui.notify(visible(text), type),
    setStatus: (key, text) => ui.setStatus(key, text === undefined ? undefined : visible(text)),
    select: (title, options, how) => ui.select(visible(title), options, how),
    confirm: (title, text, how) => ui.confirm(visible(title), visible(text), how),
    input: (title, placeholder, how) => ui.input(visible(title), placeholder, how),
  };
  return new Proxy(ui, {
    get(target, key) {
      if (Object.hasOwn(own, key)) return own[key as keyof typeof own];
      const value = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
