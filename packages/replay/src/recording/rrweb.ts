/** The part of `@rrweb/record` in use, since its package has no types of its own. */

export interface SerializedNode {
  readonly id: number
  /** 0 document, 1 document type, 2 element, 3 text, 4 CDATA, 5 comment. */
  readonly type: number
  readonly tagName?: string | undefined
  readonly attributes?: Attributes | undefined
  readonly childNodes?: SerializedNode[] | undefined
  textContent?: string
  readonly isShadowHost?: boolean | undefined
  readonly isShadow?: boolean | undefined
  readonly isSVG?: boolean | undefined
  readonly isCustom?: boolean | undefined
  readonly rootId?: number | undefined
}

/** A style may be an object of its changed properties; undefined members are left out. */
export type Attributes = Record<string, string | number | boolean | null | undefined | StyleChange>
export type StyleChange = Record<string, string | string[] | false>

/** An event as rrweb emits it, not yet masked. */
export interface EmittedEvent {
  readonly type: number
  readonly timestamp: number
  readonly data: EmittedData
}

/** Members by `type` and `source`; the mutable ones are those that are masked. */
export interface EmittedData extends AddedRule {
  readonly source?: number
  href?: string
  node?: SerializedNode
  /** The focused element of a full snapshot. */
  focus?: number
  readonly id?: number
  /** Kind of a mouse interaction. */
  readonly type?: number
  text?: string
  /** All choices of a list; rrweb has but the first. */
  values?: string[] | undefined
  readonly texts?: readonly { readonly id: number; value: string | null }[]
  readonly attributes?: readonly { readonly id: number; readonly attributes: Attributes }[]
  /** Nodes of a mutation, or rules of a style sheet. */
  readonly adds?: readonly AddedNode[]
  readonly removes?: readonly unknown[]
  readonly styles?: readonly { readonly rules: readonly AddedRule[] }[]
  /** Calls of a canvas's context. */
  readonly commands?: readonly object[]
  readonly set?: { readonly property: string; value: string | null }
}

export interface AddedNode extends AddedRule {
  readonly parentId: number
  node: SerializedNode
}

/** Style rules: one that was added, or all of a sheet. */
export interface AddedRule {
  rule?: string
  replace?: string
  replaceSync?: string
}

export interface Mirror {
  /** Returns -1 for unknown nodes. */
  getId(node: Node | null): number
  getNode(id: number): Node | null
  removeNodeFromMap(node: Node): void
}

/** The ids of all recorded nodes. */
export interface PageMirror extends Mirror {
  getIds(): number[]
}

export interface RrwebRecord {
  (options: {
    readonly emit: (event: EmittedEvent, isCheckout?: boolean) => void
    readonly [option: string]: unknown
  }): (() => void) | undefined
  takeFullSnapshot(isCheckout?: boolean): void
  readonly mirror: PageMirror
}
