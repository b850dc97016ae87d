import type { RecordingEvent } from '@afterimage/protocol/api/replay'
import { ReplayerEvents, type eventWithTime } from '@rrweb/types'
import { Replayer } from '@rrweb/replay'

/** The picture of the recorded page, and the hands that move it. Times are ms since the start. */
export interface Stage {
  play(at: number): void
  pause(at: number): void
  /** Where playback is now. */
  at(): number
  setSpeed(speed: number): void
  /** Draws other events from now on (more of them have arrived), keeping the place. */
  replaceEvents(events: readonly RecordingEvent[], at: number): void
  /** The recorded document as it is drawn now. */
  document(): Document | null
  close(): void
}

export interface StageCallbacks {
  /** The size of the recorded window, in CSS px. */
  onSize(size: { readonly width: number; readonly height: number }): void
  onEnd(): void
}

/**
 * The policy of the frame in which a recording is drawn. The frame's own document states it, the
 * replaying library's frame inside is an `about:blank` and inherits it, and so do the frames of the recording.
 * The colours are the tokens `--now` and `--after` of the light theme: a stylesheet of the console
 * does not reach in here, and recorded pages are mostly light.
 */
const hostDocument = `<!doctype html><html><head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:">
<meta http-equiv="x-dns-prefetch-control" content="off">
<meta name="referrer" content="no-referrer">
<style>
html,body{margin:0;height:100%;overflow:hidden;background:#fff}
.replayer-wrapper{position:absolute;left:0;top:0;transform-origin:0 0}
.replayer-wrapper iframe{border:0;background:#fff;display:block}
.replayer-mouse{position:absolute;width:20px;height:20px;z-index:2;pointer-events:none;transition:left 50ms linear,top 50ms linear}
.replayer-mouse svg{position:absolute;left:0;top:0;overflow:visible}
.replayer-mouse::after{content:'';position:absolute;left:-13px;top:-13px;width:24px;height:24px;border-radius:50%;border:2.5px solid #e5480b;opacity:0;transform:scale(.6)}
.replayer-mouse.active::after{animation:click .5s ease-out 1}
.replayer-mouse.touch-device svg{display:none}
.replayer-mouse.touch-device.touch-active::after{opacity:1;transform:none}
.replayer-mouse-tail{position:absolute;z-index:1;pointer-events:none}
@keyframes click{0%{opacity:1;transform:scale(.6)}60%{opacity:1;transform:none}100%{opacity:0;transform:scale(1.5)}}
@media (prefers-reduced-motion:reduce){.replayer-mouse,.replayer-mouse::after{transition:none;animation:none}}
</style></head><body></body></html>`

const pointer = 'M0 0l6.200 17 3.600-6.800 7.400-1.700z'

/** What the recording draws for what it could not keep: media that were blocked or lie elsewhere. */
const drawnForAbsent = [
  'img:not([src]),video:not([src]),iframe:not([src]),object:not([data]),embed:not([src]){background:repeating-linear-gradient(135deg,rgb(120 115 105/.14) 0 1px,rgb(120 115 105/.06) 1px 9px)}',
  '*{caret-color:transparent!important}',
]

/**
 * Opens a stage in `root`: a sandboxed frame without scripts whose document allows no request, and in
 * it the replaying library. Resolves when the frame is there.
 */
export async function openStage(
  root: HTMLElement,
  events: readonly RecordingEvent[],
  callbacks: StageCallbacks,
): Promise<Stage> {
  const host = await openHost(root)
  let size = { width: 0, height: 0 }
  let speed = 1
  let replayer = build(host, events)

  function build(frame: HTMLIFrameElement, drawn: readonly RecordingEvent[]): Replayer {
    const body = frame.contentDocument?.body
    if (body === undefined) throw new Error('The frame of the player has gone.')
    const built = createReplayer(body, drawn, speed)
    drawPointer(built.wrapper)
    built.on(ReplayerEvents.Resize, (dimension) => {
      size = dimension as { width: number; height: number }
      fit()
      callbacks.onSize(size)
    })
    built.on(ReplayerEvents.Finish, () => callbacks.onEnd())
    return built
  }

  function fit(): void {
    if (size.width <= 0 || size.height <= 0) return
    const scale = Math.min(host.clientWidth / size.width, host.clientHeight / size.height)
    const left = (host.clientWidth - size.width * scale) / 2
    const top = Math.max(0, (host.clientHeight - size.height * scale) / 2)
    replayer.wrapper.style.transform = `translate(${left}px, ${top}px) scale(${scale})`
  }

  const observer = new ResizeObserver(fit)
  observer.observe(host)
  return {
    play: (at) => replayer.play(at),
    pause: (at) => replayer.pause(at),
    at: () => Math.max(0, replayer.getCurrentTime()),
    setSpeed: (next) => {
      speed = next
      replayer.setConfig({ speed })
    },
    replaceEvents: (next, at) => {
      const former = replayer
      replayer = build(host, next)
      replayer.pause(at)
      former.destroy()
      fit()
    },
    document: () => replayer.iframe.contentDocument,
    close: () => {
      observer.disconnect()
      replayer.destroy()
      host.remove()
    },
  }
}

function createReplayer(
  root: HTMLElement,
  events: readonly RecordingEvent[],
  speed: number,
): Replayer {
  return new Replayer(events as unknown as eventWithTime[], {
    root,
    speed,
    skipInactive: false,
    // The virtual document creates its elements in the console's own document, where they would
    // load what the frame's policy forbids.
    useVirtualDom: false,
    UNSAFE_replayCanvas: false,
    triggerFocus: false,
    showWarning: false,
    showDebug: false,
    loadTimeout: 0,
    mouseTail: { duration: 700, lineCap: 'round', lineWidth: 2, strokeStyle: '#0b98ab' },
    insertStyleRules: drawnForAbsent,
  })
}

async function openHost(root: HTMLElement): Promise<HTMLIFrameElement> {
  const host = document.createElement('iframe')
  host.setAttribute('sandbox', 'allow-same-origin')
  host.setAttribute('referrerpolicy', 'no-referrer')
  host.setAttribute('title', 'The recorded page')
  host.setAttribute('tabindex', '-1')
  host.style.cssText = 'border:0;width:100%;height:100%;display:block'
  const loaded = new Promise<void>((resolve) =>
    host.addEventListener('load', () => resolve(), { once: true }),
  )
  host.srcdoc = hostDocument
  root.replaceChildren(host)
  await loaded
  return host
}

function drawPointer(wrapper: HTMLElement): void {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('width', '18')
  svg.setAttribute('height', '18')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', pointer)
  path.setAttribute('fill', '#1c1a17')
  path.setAttribute('stroke', '#fff')
  path.setAttribute('stroke-width', '1.4')
  path.setAttribute('stroke-linejoin', 'round')
  svg.append(path)
  wrapper.querySelector('.replayer-mouse')?.append(svg)
}
