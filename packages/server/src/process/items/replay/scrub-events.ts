import { asList, memberOf } from '../fields.ts'
import { isRecord } from '../../steps/normalize/text.ts'
import { filtered } from '../../steps/scrub/filtered.ts'
import { scrubAny, scrubMember, type Scrubber } from '../../steps/scrub/values.ts'
import { isPrivateField, mustMask, rememberField, type KnownFields } from './private-fields.ts'

/** Types of rrweb's events, its nodes, and the sources of its increments. */
const eventTypes = { snapshot: 2, increment: 3, meta: 4, custom: 5, plugin: 6 } as const
const sources = { mutation: 0, input: 5, canvas: 9 } as const

/** Attributes that say how a page is built and drawn, not what it says. */
const structural =
  /^(?:rr_|_css|on|class$|id$|style$|for$|name$|type$|rel$|lang$|dir$|role$|d$|points$|transform$|viewbox$|width$|height$|accesskey$|autocomplete$|pattern$|integrity$|nonce$)/i

/**
 * Removes secrets from the events of one recording, in place: texts and attributes of the page, what was
 * typed or written on a canvas, addresses, and whatever the SDK adds of its own (console, requests and their bodies, options).
 */
export class EventScrubber {
  readonly #scrubber: Scrubber
  readonly #fields: KnownFields
  #hasChanged = false

  constructor(scrubber: Scrubber, fields: KnownFields) {
    this.#scrubber = scrubber
    this.#fields = fields
  }

  /** Scrubs one event; true when something in it changed. */
  scrub(event: unknown): boolean {
    this.#hasChanged = false
    if (!isRecord(event) || !isRecord(event['data'])) return false
    const data = event['data']
    if (event['type'] === eventTypes.snapshot) {
      this.#fields.privateIds.clear()
      this.#fields.hasSnapshot = true
      this.#scrubNode(data['node'])
    } else if (event['type'] === eventTypes.increment) this.#scrubIncrement(data)
    else if (event['type'] === eventTypes.meta) this.#scrubText(data, 'href')
    else if (event['type'] === eventTypes.custom || event['type'] === eventTypes.plugin) {
      this.#scrubOwn(data)
    }
    return this.#hasChanged
  }

  #scrubIncrement(data: Record<string, unknown>): void {
    if (data['source'] === sources.input) {
      const isPrivate = mustMask(this.#fields, data['id'])
      this.#scrubTyped(data, 'text', isPrivate)
      // All choices of a list, where a recorder tells them.
      const choices = asList(data['values']) as unknown as Record<string, unknown>
      for (const index in choices) this.#scrubTyped(choices, index, isPrivate)
    }
    if (data['source'] === sources.canvas) {
      for (const call of [data, ...asList(data['commands'])]) this.#scrubCall(call)
    }
    if (data['source'] !== sources.mutation) return
    for (const text of asList(data['texts'])) if (isRecord(text)) this.#scrubText(text, 'value')
    for (const change of asList(data['attributes'])) this.#scrubChange(change)
    for (const added of asList(data['adds'])) this.#scrubNode(memberOf(added, 'node'))
  }

  /** Scrubs the texts that a page writes on a canvas. Pictures are objects, and stay. */
  #scrubCall(call: unknown): void {
    const values = asList(memberOf(call, 'args')) as unknown as Record<string, unknown>
    for (const index in values) this.#scrubText(values, index)
  }

  #scrubTyped(record: Record<string, unknown>, member: string, isPrivate: boolean): void {
    if (isPrivate) this.#mask(record, member)
    else this.#scrubText(record, member)
  }

  /** Changed attributes of an element that an earlier event described. */
  #scrubChange(change: unknown): void {
    const attributes = memberOf(change, 'attributes')
    if (!isRecord(attributes)) return
    const id = memberOf(change, 'id')
    // A field that becomes a password, or ceases to be shown as one, holds the same value.
    if (attributes['type'] === 'password' && typeof id === 'number') {
      rememberField(this.#fields, id, true)
    }
    this.#scrubAttributes(attributes, mustMask(this.#fields, id))
  }

  #scrubNode(node: unknown): void {
    if (!isRecord(node)) return
    const { attributes, tagName, id } = node
    if (isRecord(attributes)) {
      const isPrivate = isPrivateField(tagName, attributes, this.#scrubber)
      if (typeof id === 'number') rememberField(this.#fields, id, isPrivate)
      this.#scrubAttributes(attributes, isPrivate)
      const isSecretMeta =
        tagName === 'meta' && this.#scrubber.isSensitive(String(attributes['name']))
      if (isSecretMeta && attributes['content']) this.#set(attributes, 'content', filtered)
      // The content of a private text area is its text.
      if (isPrivate) for (const child of asList(node['childNodes'])) this.#maskChild(child)
    }
    const isStyle = node['isStyle'] === true || tagName === 'style'
    if (typeof node['textContent'] === 'string' && !isStyle) this.#scrubText(node, 'textContent')
    if (isStyle) return
    for (const child of asList(node['childNodes'])) this.#scrubNode(child)
  }

  #maskChild(child: unknown): void {
    if (isRecord(child) && typeof child['textContent'] === 'string')
      this.#mask(child, 'textContent')
  }

  #scrubAttributes(attributes: Record<string, unknown>, isPrivate: boolean): void {
    for (const name in attributes) {
      const value = attributes[name]
      if (typeof value !== 'string' || value === '') continue
      if (name === 'value' && isPrivate) this.#mask(attributes, name)
      else if (!structural.test(name) && !/^(?:data|blob):/.test(value)) {
        this.#set(attributes, name, scrubMember(name, value, this.#scrubber))
      }
    }
  }

  /** Scrubs events of the SDK and its plug-ins: JSON of their own shape. */
  #scrubOwn(data: Record<string, unknown>): void {
    const before = JSON.stringify(data)
    scrubAny(data, this.#scrubber)
    if (JSON.stringify(data) !== before) this.#hasChanged = true
  }

  #scrubText(record: Record<string, unknown>, member: string): void {
    const text = record[member]
    if (typeof text === 'string') this.#set(record, member, this.#scrubber.paths(text))
  }

  #mask(record: Record<string, unknown>, member: string): void {
    const text = record[member]
    if (typeof text === 'string') this.#set(record, member, text.replace(/[^\s*]/gu, '*'))
  }

  #set(record: Record<string, unknown>, member: string, value: unknown): void {
    if (record[member] === value) return
    record[member] = value
    this.#hasChanged = true
  }
}
