import type { Client } from '@afterimage/sdk-core/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchPrivacy } from './privacy.ts'

class Field {
  readonly classes: readonly string[]
  readonly attributes: Record<string, string>
  readonly value: string

  constructor(classes: string, attributes: Record<string, string> = {}, value = '') {
    this.classes = classes.split(' ')
    this.attributes = attributes
    this.value = value
  }

  getAttribute(name: string): string | null {
    return this.attributes[name] ?? null
  }

  /** Knows only selectors that are lists of classes. */
  matches(selector: string): boolean {
    return selector.split(/[,()]/).some((one) => this.classes.includes(one.replace('.', '')))
  }

  closest(selector: string): Field | null {
    return this.matches(selector) ? this : null
  }
}

beforeEach(() => {
  const document = {
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    createDocumentFragment: () => ({ querySelector: () => null }),
  }
  class MutationObserver {
    observe(): void {}
    disconnect(): void {}
  }
  for (const [name, value] of Object.entries({ document, MutationObserver, Element: Field })) {
    vi.stubGlobal(name, value)
  }
})
afterEach(() => void vi.unstubAllGlobals())

test('breadcrumbs show of labels what the recording shows, and no secret', () => {
  const client = { options: { unmask: '.shown' } } as Client
  const { selectors, secrets } = watchPrivacy(client, { mask: '.masked', block: '.blocked' })
  expect(selectors.unmask).toContain('.shown')
  const labelled = (classes: string) =>
    new Field(classes, { title: 'Pay hunter22' }) as unknown as Element
  expect(client.labels?.(labelled('shown'))).toBe('[title="Pay hunter22"]')
  for (const classes of ['', 'masked', 'shown masked', 'shown blocked']) {
    expect(client.labels?.(labelled(classes))).toBe('')
  }
  secrets.isSecret(new Field('', { type: 'password' }, 'hunter22') as unknown as Element)
  expect(client.labels?.(labelled('shown'))).toBe('[title="*** ********"]')
})
