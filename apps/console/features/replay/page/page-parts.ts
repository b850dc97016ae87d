import type { AdoptedSheets } from './adopted-sheets.ts'
import type { PageNodes } from './page-nodes.ts'
import type { Fields } from '../timeline/recorded.ts'
import type { MediaState } from './media-state.ts'

/** State shared by the parts of a drawn page. */
export interface PageParts {
  readonly nodes: PageNodes
  readonly sheets: AdoptedSheets
  readonly media: MediaState
  /** Recorded CSS as it is drawn. */
  readonly css: (text: string) => string
  /** Texts of style sheets that their text nodes have yet to take, by element. */
  readonly styleTexts: Map<Node, string[]>
  /** Elements with a state that no attribute makes: dialogs, popovers, sheets that are off. Settled after each step. */
  readonly unsettled: Set<HTMLElement>
  /** Documents of frames that are not there yet, by the frame's id. */
  readonly framed: Map<number, Fields>
  /** Scroll offsets of recorded boxes and documents, by id. */
  readonly scrolled: Map<number, { left: number; top: number }>
  /** The recorded name of an element that is drawn as another: a link to a sheet is a sheet. */
  readonly tags: WeakMap<Node, string>
  /** Fills the frames that are in the document with the documents that came for them. */
  readonly openFrames: () => void
  /** Tells browsers that a custom element was defined: pages style those that are not. */
  readonly define: (name: string) => void
  /** Hears of each element that was built, before it is in the document. */
  readonly built: (element: HTMLElement, id: number) => void
}
