import type { IncomingMessage } from 'node:http'
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js'

/**
 * Tells whether the router's state, which a transition in the browser sends along, is one that Next can
 * read. Next itself answers one that is not with 500 and plain text, so its own reader is asked first.
 */
export function hasReadableRouterState({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  try {
    parseAndValidateFlightRouterState(headers['next-router-state-tree'])
    return true
  } catch {
    return false
  }
}
