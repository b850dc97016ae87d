import { plantedPath, type Places } from './place.ts'

const at = plantedPath
const words = 'the words of an error are its report'

/** Work of a page on its document that leaves traces in few others. */
const editing: Places = {
  'custom element and its state': (it) => ({
    script: `customElements.define('audit-card', class extends HTMLElement {
        static formAssociated = true
        static observedAttributes = ['owner']
        connectedCallback() {
          const internals = this.attachInternals()
          internals.setFormValue('${it}', '${it}')
          internals.ariaLabel = '${it}'
          this.attachShadow({ mode: 'open' }).innerHTML = '<b part="name">${it}</b><input placeholder="${it}">'
          this.setAttribute('owner', '${it}')
          this.ariaLabel = this.title = '${it}'
        }
      })
      document.getElementById('afterimage-audit').append(document.createElement('audit-card'))`,
  }),
  'words about a value that is not valid': (it, id) => ({
    markup: `<form><input id="${id}"></form>`,
    script: `const it = document.getElementById('${id}')
      it.setCustomValidity('${it}')
      it.reportValidity()`,
  }),
  'default and range of a value': (it, id) => ({
    markup: `<form><input id="${id}"><textarea id="${id}t"></textarea></form>`,
    script: `for (const it of [document.getElementById('${id}'), document.getElementById('${id}t')]) {
        it.defaultValue = '${it}'
        it.form.reset()
        it.setRangeText('late ${it}')
        it.dispatchEvent(new Event('change', { bubbles: true }))
      }`,
  }),
  'option that is added and chosen': (it, id) => ({
    markup: `<select id="${id}"></select>`,
    script: `const it = document.getElementById('${id}')
      it.add(new Option('${it}', '${it}', true, true))
      it.dispatchEvent(new Event('change', { bubbles: true }))
      await later()
      it.options[0].text = 'late ${it}'
      it.options[0].label = '${it}'`,
  }),
  'text that is inserted and split': (it, id) => ({
    markup: `<p id="${id}">before</p>`,
    script: `const it = document.getElementById('${id}')
      it.insertAdjacentHTML('beforeend', '<b title="${it}">${it}</b>')
      it.firstChild.appendData(' ${it}')
      await later()
      it.firstChild.splitText(3).replaceWith('${it}', document.createComment('${it}'))
      it.normalize()
      await later()
      it.replaceChildren(document.createRange().createContextualFragment('<i title="${it}">${it}</i>'))`,
  }),
  'text that is pasted, dropped and composed': (it, id) => ({
    markup: `<div id="${id}" contenteditable="plaintext-only"></div><input id="${id}i">`,
    script: `const data = new DataTransfer()
      data.setData('text/plain', '${it}')
      for (const it of [document.getElementById('${id}'), document.getElementById('${id}i')]) {
        it.focus()
        it.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData: data }))
        it.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer: data }))
        it.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '${it}' }))
        it.dispatchEvent(new InputEvent('beforeinput', { bubbles: true, data: '${it}', dataTransfer: data }))
        document.execCommand('insertText', false, '${it}')
        document.execCommand('insertHTML', false, '<b title="${it}">${it}</b>')
      }`,
  }),
  'keys that are pressed outside of fields': (it) => ({
    script: `for (const type of ['keydown', 'keypress', 'keyup'])
        document.body.dispatchEvent(new KeyboardEvent(type, { bubbles: true, key: '${it}', code: '${it}' }))`,
  }),
  'attributes by their nodes and namespaces': (it, id) => ({
    markup: `<i id="${id}">i</i><svg id="${id}s" width="9" height="9"></svg>`,
    script: `const it = document.getElementById('${id}')
      const node = document.createAttribute('title')
      node.value = '${it}'
      it.setAttributeNode(node)
      it.setAttributeNS('urn:audit', 'audit:owner', '${it}')
      it.dataset.owner = it.ariaDescription = '${it}'
      const drawing = document.getElementById('${id}s')
      drawing.setAttribute('aria-label', '${it}')
      drawing.setAttribute('fill', 'url(${at}/image?late=${it}#a)')
      drawing.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', '${at}/image?late=${it}')`,
  }),
  'document that is written into a frame': (it) =>
    framed(`it.contentDocument.open()
      it.contentDocument.write('<title>${it}</title><p title="${it}">${it}</p><style>p::after{content:"${it}"}</style>')
      it.contentDocument.close()
      await later()
      it.contentDocument.title = it.contentDocument.cookie = 'late=${it}'
      it.contentDocument.body.append('${it}')`),
  'document of a frame that changes': (it) =>
    framed(`it.srcdoc = '<p title="${it}">${it}</p><input value="${it}">'
      await later(300)
      it.src = URL.createObjectURL(new Blob(['<p title="${it}">${it}</p>'], { type: 'text/html' }))
      it.removeAttribute('srcdoc')
      await later(300)`),
  'errors, console and requests of a frame': (it) =>
    framed(`it.contentWindow.console.log({ user: '${it}' })
      it.contentWindow.history.replaceState({ user: '${it}' }, '')
      it.contentWindow.localStorage.setItem('audit-frame', '${it}')
      await it.contentWindow.fetch('${at}/json?frame=${it}', { method: 'POST', body: '${it}' })
      it.contentWindow.setTimeout('throw { user: "${it}" }')
      await later()`),
  'frame whose work takes long': (it) =>
    framed(`it.src = '${at}/frame?long=${it}&text=i'
      await new Promise((resolve) => (it.onload = resolve))
      it.contentWindow.setTimeout('for (const end = Date.now() + 120; Date.now() < end; );')
      await later(300)`),
  'large image and its address': (it) => ({
    markup: `<img alt="${it}" width="600" height="400" elementtiming="${it}" src="${at}/image?large=${it}#${it}">`,
  }),
  'cue of a video': (it) => ({
    markup: `<video width="9" height="9"><track default src="data:text/vtt,WEBVTT%0A%0A00:00.000 --> 00:09.000%0A${it}"></video>`,
    script: `const track = document.createElement('video').addTextTrack('captions', '${it}')
      track.addCue(new VTTCue(0, 9, '${it}'))
      navigator.mediaSession.metadata = new MediaMetadata({ title: '${it}', artist: '${it}' })`,
  }),
  'words of an alert and a question': (it) => ({
    script: `alert('${it}')
      confirm('${it}')
      prompt('${it}', '${it}')`,
  }),
}

/** Requests and messages past \`fetch\` and \`XMLHttpRequest\`, and their rarer forms. */
const messages: Places = {
  'web socket and its messages': (it) => ({
    script: `const socket = new WebSocket('ws://' + location.host + '${at}/socket?token=${it}', ['audit'])
      socket.onopen = () => socket.send('${it}')
      await later(300)
      socket.close(1000, '${it}')`,
  }),
  'worker, its address and its messages': (it) => ({
    script: `const source = 'onmessage = ({ data }) => { postMessage(data); console.log(data); throw data }'
      const worker = new Worker(URL.createObjectURL(new Blob([source])), { name: '${it}' })
      worker.postMessage({ user: '${it}' })
      new Worker('${at}/script?worker=${it}')
      await later(300)`,
  }),
  'messages between windows': (it) => ({
    script: `const channel = new BroadcastChannel('${it}')
      channel.postMessage({ user: '${it}' })
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => null
      port2.postMessage('${it}')`,
  }),
  'request as an object': (it) => ({
    script: `const body = new FormData()
      body.set('user', '${it}')
      await fetch(new Request('${at}/json?object=${it}', { method: 'PUT', body, headers: { 'x-user': '${it}' }, referrer: '?ref=${it}' }))
      await fetch(new URL('${at}/json?url=${it}#${it}', location.href))
      await fetch({ toString: () => '${at}/json?text=${it}' })`,
  }),
  'request with a user and a password': (it) => ({
    script: `await fetch('http://${it}:${it}@' + location.host + '${at}/json').catch(() => null)
      await fetch('//bob@${it}:p@' + location.host).catch(() => null)`,
  }),
  'request for data': (it) => ({
    script: `await fetch('data:text/plain,${it}')
      await fetch(URL.createObjectURL(new Blob(['${it}'])))`,
  }),
  'request that is given up': (it) => ({
    script: `const controller = new AbortController()
      const request = fetch('${at}/json?given-up=${it}', { signal: controller.signal }).catch(() => null)
      controller.abort({ user: '${it}' })
      await request`,
  }),
  'missing script, image and module': (it) => ({
    markup: `<script async src="${at}/status?script=${it}"></script><img alt="" src="${at}/status?image=${it}">`,
    script: `const address = '${at}/status?module=${it}#${it}'
      await import(address).catch(() => null)`,
  }),
  'address in a stack': (it) => ({
    script: `const script = document.createElement('script')
      script.src = '${at}/throw?token=${it}&${it}#${it}'
      document.head.append(script)
      await later(200)
      script.remove()
      setTimeout('throw new Error("audit named source")\\n//# sourceURL=http://${it}:${it}@host.test/a.js?token=${it}#${it}')
      await later(100)`,
  }),
  'entry of the navigation and its state': (it) => ({
    script: `await later(1300)
      navigation.updateCurrentEntry({ state: { user: '${it}' } })
      await navigation.navigate('#entry=${it}', { state: '${it}', history: 'replace' }).finished.catch(() => null)`,
  }),
  'registered worker and its scope': (it) => ({
    script: `await navigator.serviceWorker.register('${at}/script?service=${it}').catch(() => null)`,
  }),
  'cookie and storage that change': (it) => ({
    script: `document.cookie = 'late=${it}'
      localStorage.setItem('audit-${it}', '${it}')
      sessionStorage.setItem('audit-late', '${it}')
      dispatchEvent(new StorageEvent('storage', { key: '${it}', newValue: '${it}', url: '?of=${it}' }))`,
  }),
}

/** Values that reach the console or the handlers of errors. */
const values: Places = {
  'collections that are logged': (it) => ({
    script: `const form = new FormData()
      form.set('user', '${it}')
      console.log(form, new URLSearchParams('user=${it}'), new URL('?user=${it}', location.href), new Headers({ user: '${it}' }), new Set(['${it}']))
      console.dir({ user: '${it}' })
      console.assert(false, { user: '${it}' })
      console.error(new Response('${it}'), new Request('?r=${it}'), new String('${it}'), new Proxy({ user: '${it}' }, {}))`,
  }),
  'members that are computed and logged': (it) => ({
    script: `console.warn({ get user() { return '${it}' }, [Symbol.toPrimitive]: () => '${it}', valueOf: () => '${it}' },
        Object.assign(() => null, { user: '${it}' }), Promise.resolve('${it}'), new TextEncoder().encode('${it}'))`,
  }),
  'event that is thrown': (it) => ({
    script: `Promise.reject(new CustomEvent('audit', { detail: '${it}' }))
      Promise.reject(new MessageEvent('audit', { data: '${it}', origin: '${it}' }))
      setTimeout(() => { throw new CustomEvent('audit', { detail: { user: '${it}' } }) })`,
  }),
  'collection that is thrown': (it) => ({
    script: `setTimeout(() => { throw ['${it}'] })
      Promise.reject(new Map([['user', '${it}']]))
      Promise.reject(new URLSearchParams('user=${it}'))
      Promise.reject(new Response('${it}'))
      Promise.reject({ toString: () => '${it}', [Symbol.toStringTag]: 'User' })`,
  }),
  'object that looks like an error': (it) => ({
    script: `Promise.reject({ name: 'Refused', message: '${it}', stack: 'Refused: ${it}', code: 7 })
      setTimeout(() => { throw { message: '${it}', status: 400 } })`,
  }),
  'text as a cause': (it) => ({
    script: `setTimeout(() => { throw new Error('audit text as a cause', { cause: '${it}' }) })`,
  }),
  'members of errors in a group': (it) => ({
    script: `const one = Object.assign(new Error('audit one'), { config: { auth: '${it}' } })
      setTimeout(() => { throw Object.assign(new AggregateError([one, { user: '${it}' }, '${it}'], 'audit group'), { user: '${it}' }) })`,
  }),
  'reason of a broken policy': (it) => ({
    script: `dispatchEvent(new SecurityPolicyViolationEvent('securitypolicyviolation', { blockedURI: '${at}/image?blocked=${it}', documentURI: '?of=${it}', sample: '${it}', violatedDirective: 'img-src', effectiveDirective: 'img-src', originalPolicy: '${it}', disposition: 'report' }))`,
  }),
  'words of a thrown text': (it) => ({
    script: `setTimeout(() => { throw 'audit text ${it}' })`,
    told: words,
  }),
}

export const pagePlaces: Places = { ...editing, ...messages, ...values }

/** An inner frame of the same origin, under the name \`it\`. */
function framed(then: string): { script: string } {
  return {
    script: `const it = document.createElement('iframe')
      it.width = it.height = 9
      document.getElementById('afterimage-audit').append(it)
      await later()
      ${then}`,
  }
}
