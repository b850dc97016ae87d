import { findProgram } from '../../tools/browsers.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

/** A browser with an engine of its own, as far as journeys drive one. */
export interface Engine {
  /** Opens a tab with a session storage of its own. One at a time: the last is closed before. */
  openTab(): Promise<Tab>
  close(): Promise<void>
}

export interface Tab {
  /** Goes to an address, and returns when its document is loaded. */
  goto(url: string): Promise<void>
  /** Runs a function in the page, which must refer to nothing outside itself, and awaits it. */
  evaluate<Result>(run: () => Result | Promise<Result>): Promise<Result>
  evaluate<Given, Result>(
    run: (given: Given) => Result | Promise<Result>,
    given: Given,
  ): Promise<Result>
  /** Clicks an element as a person does: the pointer moves there, and presses. */
  click(selector: string): Promise<void>
  /** Types into an element. */
  type(selector: string, text: string): Promise<void>
  close(): Promise<void>
}

/** The engines beside Chromium; `start` is null where the browser is not installed. */
export const engines: readonly {
  readonly name: 'Firefox' | 'WebKit'
  readonly start: (() => Promise<Engine>) | null
}[] = [
  { name: 'Firefox', start: starter(startFirefox, findProgram('firefox')) },
  { name: 'WebKit', start: starter(startWebKit, findProgram('webkitDriver'), findProgram('xvfb')) },
]

/** Binds the paths of programs; null where one of them is missing. */
function starter(
  start: (...paths: string[]) => Promise<Engine>,
  ...paths: (string | null)[]
): (() => Promise<Engine>) | null {
  const found = paths.filter((it) => it !== null)
  return found.length < paths.length ? null : () => start(...found)
}
