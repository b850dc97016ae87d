import type { RecordingEvent } from '@afterimage/protocol/api/replay'
import { eventSource, eventType, fieldsOf, listOf, numberOf, textOf } from '../timeline/recorded.ts'

/*
 * A recording is a page that a stranger wrote. It is drawn in a frame without scripts whose policy
 * forbids every request; this file takes out, before anything is drawn, what such a policy does not
 * govern (link hints, DNS prefetch of links, refresh, fonts and canvas images that the replaying
 * library would load on behalf of the console) and what could lead a reader away.
 */

type Mutable = Record<string, unknown>

/** Elements of which nothing but the element itself is drawn. */
const emptied: ReadonlySet<string> = new Set(['script', 'noscript', 'base', 'meta', 'template'])
/** Attributes that hold an address which an element would load or go to. */
const addresses: ReadonlySet<string> = new Set([
  'src',
  'href',
  'xlink:href',
  'data',
  'poster',
  'background',
  'rr_dataurl',
  'rr_src',
  'code',
  'codebase',
  'manifest',
  'cite',
  'longdesc',
  'lowsrc',
  'dynsrc',
  'classid',
  'archive',
])
/** Attributes that are never of use to a picture of a page. */
const dropped: ReadonlySet<string> = new Set([
  'ping',
  'action',
  'formaction',
  'srcdoc',
  'srcset',
  'imagesrcset',
  'http-equiv',
  'autofocus',
  'autoplay',
  'attributionsrc',
  'integrity',
  'nonce',
  'is',
  'target',
  'download',
])

/**
 * Makes drawn events harmless, in place: they were just parsed and belong to nobody else. Tag names
 * are remembered by node id, since a later change of an attribute does not repeat them; hand the same
 * `Tags` for all events of one recording, in order.
 */
export function makeHarmless(events: readonly RecordingEvent[], tags: Tags): RecordingEvent[] {
  const kept: RecordingEvent[] = []
  for (const event of events) {
    if (event.type === eventType.full) {
      tags.clear()
      cleanNode(fieldsOf(event.data)['node'], tags)
      kept.push(event)
    } else if (event.type === eventType.incremental) {
      if (cleanIncremental(fieldsOf(event.data), tags)) kept.push(event)
    } else if (event.type === eventType.meta) {
      kept.push(event)
    }
  }
  return kept
}

/** Tag name by node id. */
export type Tags = Map<number, string>

/** False when the event is not to be drawn at all. */
function cleanIncremental(data: Readonly<Mutable>, tags: Tags): boolean {
  // A font would be fetched by the console's own document, which the frame's policy does not cover.
  if (data['source'] === eventSource.font) return false
  if (data['source'] !== eventSource.mutation) return true
  for (const added of listOf(data['adds'])) cleanNode(fieldsOf(added)['node'], tags)
  for (const change of listOf(data['attributes'])) {
    const fields = fieldsOf(change) as Mutable
    const tag = tags.get(numberOf(fields['id']) ?? -1) ?? ''
    fields['attributes'] = cleanAttributes(tag, fieldsOf(fields['attributes']))
  }
  return true
}

/** Walks a recorded node with a list instead of recursion: depth is the stranger's choice. */
function cleanNode(root: unknown, tags: Tags): void {
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const node = fieldsOf(waiting.pop()) as Mutable
    if (node['type'] === 2) cleanElement(node, tags)
    for (const child of listOf(node['childNodes'])) waiting.push(child)
  }
}

function cleanElement(node: Mutable, tags: Tags): void {
  const tag = (textOf(node['tagName'], 128) ?? '').toLowerCase()
  tags.set(numberOf(node['id']) ?? -1, tag)
  if (emptied.has(tag)) {
    node['attributes'] = {}
    node['childNodes'] = []
    return
  }
  node['attributes'] = cleanAttributes(tag, fieldsOf(node['attributes']))
}

/** The attributes that may be drawn. A style sheet travels as text (`_cssText`); a link without it is nothing. */
export function cleanAttributes(tag: string, attributes: Readonly<Mutable>): Mutable {
  if (emptied.has(tag)) return {}
  if (tag === 'link') {
    const cssText = attributes['_cssText']
    return typeof cssText === 'string' ? { rel: 'stylesheet', _cssText: cssText } : {}
  }
  const clean: Mutable = {}
  for (const [name, value] of Object.entries(attributes)) {
    const lower = name.toLowerCase()
    if (lower.startsWith('on') || dropped.has(lower)) continue
    if (!addresses.has(lower)) clean[name] = value
    else if (value === null) clean[name] = null
    else if (isDrawable(tag, value)) clean[name] = value
    // A link keeps being one, so that the page's styles for links apply; it leads nowhere.
    else if (lower === 'href' && (tag === 'a' || tag === 'area')) clean[name] = '#'
  }
  return clean
}

function isDrawable(tag: string, value: unknown): boolean {
  if (typeof value !== 'string') return false
  if (tag === 'iframe' || tag === 'frame' || tag === 'object' || tag === 'embed') return false
  return value.startsWith('#') || /^data:image\//i.test(value)
}
