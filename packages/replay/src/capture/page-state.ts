import { guard } from '@afterimage/sdk-core/guard'
import { listen } from '@afterimage/sdk-core/listen'
import { ruleStylesMax, styleCheckMs } from '../limits.ts'
import type { Recorder } from '../recorder.ts'
import { mirror } from '../recording/dom.ts'
import { incremental, mutation } from '../recording/kinds.ts'
import type { Attributes } from '../recording/rrweb.ts'

/**
 * Records state that rrweb does not see: popovers that open and close and style sheets that are
 * switched on and off, as attributes of ours; and styles that scripts set on rules.
 */
export function watchPageState(recorder: Recorder): (() => void)[] {
  function tell(node: unknown, attributes: Attributes): void {
    recorder.record({
      type: incremental,
      timestamp: Date.now(),
      data: {
        source: mutation,
        attributes: [{ id: mirror.getId(node as Node), attributes }],
        adds: [],
        removes: [],
        texts: [],
      },
    })
  }
  const tellSheet = (it: StyleSheet): void =>
    tell(it.ownerNode ?? it, { rr_sheet_off: it.disabled })
  return [
    listen(document, 'toggle', ({ target, newState }: ToggleEvent) =>
      tell(target, { rr_popover: newState }),
    ),
    after(StyleSheet, 'disabled', 'set', tellSheet),
    after(HTMLStyleElement, 'disabled', 'set', tellSheet),
    ...watchRuleStyles(),
  ]
}

/**
 * Records assignments to the style of a rule, as a property `rr_style` that holds all declarations.
 * Browsers do not tell of them, and scripts keep such objects: those read last are compared at an
 * interval.
 */
function watchRuleStyles(): (() => void)[] {
  const known = new Map<CSSStyleDeclaration, string>()
  function check(): void {
    known.forEach((before, style) => {
      known.set(style, style.cssText)
      // rrweb records the call; browsers do not know the property.
      if (style.cssText !== before) style.setProperty('rr_style', style.cssText)
    })
  }
  let timer: ReturnType<typeof setInterval> | undefined
  return [
    () => clearInterval(timer),
    after(CSSStyleRule, 'style', 'get', (_, style: CSSStyleDeclaration) => {
      if (known.has(style)) return
      if (known.size >= ruleStylesMax) {
        check()
        known.clear()
      }
      known.set(style, style.cssText)
      timer ??= setInterval(guard, styleCheckMs, check)
    }),
  ]
}

/** Calls `act` after each use of an accessor of the page; returns a function that restores it. */
function after(
  { prototype }: { readonly prototype: object },
  name: string,
  kind: 'get' | 'set',
  act: (it: never, got: never) => void,
): () => void {
  const own = Object.getOwnPropertyDescriptor(prototype, name)!
  Object.defineProperty(prototype, name, {
    ...own,
    [kind](value: never) {
      const got = own[kind]!.call(this, value)
      guard(() => act(this as never, got as never))
      return got
    },
  })
  return () => Object.defineProperty(prototype, name, own)
}
