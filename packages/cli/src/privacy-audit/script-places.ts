import { plantedPath, type Places } from './place.ts'

const at = plantedPath

/** Later changes that a page makes to its document. */
const changes: Places = {
  'late element': (it) =>
    append(`document.createElement('p')`, `it.textContent = '${it}'; it.title = '${it}'`),
  'text that changes': (it, id) => ({
    markup: `<p id="${id}">before</p>`,
    script: `document.getElementById('${id}').firstChild.data = '${it}'`,
  }),
  'attribute that changes': (it, id) => ({
    markup: `<p id="${id}">i</p>`,
    script: `for (const name of ['title', 'aria-label', 'data-user', 'customer', 'href'])
      document.getElementById('${id}').setAttribute(name, '?' + '${it}')`,
  }),
  'value that changes': (it, id) => ({
    markup: `<input id="${id}">`,
    script: `document.getElementById('${id}').value = '${it}'`,
  }),
  'value attribute that changes': (it, id) => ({
    markup: `<input id="${id}" type="hidden"><option id="${id}o"></option>`,
    script: `document.getElementById('${id}').setAttribute('value', '${it}')
      document.getElementById('${id}o').value = '${it}'`,
  }),
  'address that changes': (it, id) => ({
    markup: `<a id="${id}" href="#">i</a><img id="${id}i" alt="">`,
    script: `document.getElementById('${id}').href = '${at}/link?late=${it}#${it}'
      document.getElementById('${id}i').src = '${at}/image?late=${it}'`,
  }),
  'open shadow root': (it) =>
    append(
      `document.createElement('div')`,
      `const root = it.attachShadow({ mode: 'open' })
      root.innerHTML = '${it}<p title="${it}">${it}</p><input value="${it}"><style>p::after{content:"${it}"}</style>'
      await later()
      root.querySelector('p').textContent = 'late ${it}'
      root.append('later ${it}')
      root.querySelector('input').click()`,
    ),
  'input in a shadow root': (it) =>
    append(
      `document.createElement('div')`,
      `const input = it.attachShadow({ mode: 'open' }).appendChild(document.createElement('input'))
      await later()
      input.value = '${it}'
      input.dispatchEvent(new Event('input', { bubbles: true, composed: true }))`,
    ),
  'closed shadow root': (it) =>
    append(
      `document.createElement('div')`,
      `it.attachShadow({ mode: 'closed' }).innerHTML = '<button aria-label="${it}">${it}</button>'`,
    ),
  'input in an inner frame': (it) =>
    append(
      `document.createElement('iframe')`,
      `await later()
      it.contentDocument.body.innerHTML = '<p title="${it}">${it}</p><input>'
      const input = it.contentDocument.querySelector('input')
      input.value = '${it}'
      input.dispatchEvent(new it.contentWindow.Event('input', { bubbles: true }))`,
    ),
  'drawn on a canvas': (it) =>
    append(`document.createElement('canvas')`, `it.getContext('2d').fillText('${it}', 5, 5)`),
  'title of the document': (it) => ({ script: `document.title = 'Inbox of ${it}'` }),
  'language and other attributes of the root': (it) => ({
    script: `document.documentElement.setAttribute('data-user', '${it}'); document.body.title = '${it}'`,
  }),
  'selected and copied text': (it, id) => ({
    markup: `<p id="${id}">${it}</p>`,
    script: `getSelection().selectAllChildren(document.getElementById('${id}'))
      document.getElementById('${id}').dispatchEvent(new ClipboardEvent('copy', { bubbles: true }))`,
  }),
}

/** The page's address and what goes with it. */
const navigation: Places = {
  "query of the page's address": (it) => ({
    script: `history.replaceState(null, '', '?q=${it}&${it}')
      await later()`,
  }),
  "fragment of the page's address": (it) => ({
    script: `await later(600)
      location.hash = 'access_token=${it}'`,
  }),
  'query of a page that is gone to': (it) => ({
    script: `await later(900)
      history.pushState(null, '', '?search=${it}')
      await later(200)
      history.back()`,
  }),
  'state of the history': (it) => ({ script: `history.replaceState({ user: '${it}' }, '')` }),
  'name of the window': (it) => ({ early: `window.name = '${it}'` }),
  referrer: () => ({}),
  'address that the page begins with': () => ({}),
  'names and details of marks': (it) => ({
    script: `performance.mark('audit', { detail: { user: '${it}' } })
      performance.measure('audit', { start: 0, detail: '${it}' })`,
  }),
}

/** Requests of a page to its servers, and their answers. */
const requests: Places = {
  'query of a fetch': (it) => ({ script: `await fetch('${at}/json?email=${it}&${it}#${it}')` }),
  'body of a fetch': (it) => ({
    script: `await fetch('${at}/json', { method: 'POST', body: JSON.stringify({ user: '${it}' }) })`,
  }),
  'header of a fetch': (it) => ({
    script: `await fetch('${at}/json', { headers: { authorization: 'Bearer ${it}', 'x-user': '${it}' } })`,
  }),
  'answer to a fetch': (it) => ({
    script: `await (await fetch('${at}/echo?text=${it}')).text()`,
  }),
  'fetch that fails': (it) => ({
    script: `await fetch('${at}/fail?user=${it}').catch(() => null)
      await fetch('${at}/status/500?user=${it}', { method: 'POST', body: '${it}' })`,
  }),
  'query of an XMLHttpRequest': (it) => ({ script: xhr(`?email=${it}#${it}`, '') }),
  'body of an XMLHttpRequest': (it) => ({ script: xhr('', `user=${it}`) }),
  'header of an XMLHttpRequest': (it) => ({ script: xhr('', '', `'x-token', '${it}'`) }),
  'user and password of an XMLHttpRequest': (it) => ({
    script: `for (const user of ['${it}:${it}', 'bob@${it}:p@${it}']) {
        for (const start of ['http:', '']) {
          const request = new XMLHttpRequest()
          request.open('GET', start + '//' + user + '@' + location.host + '${at}/json')
          request.send()
          await new Promise((resolve) => (request.onloadend = resolve))
        }
      }`,
  }),
  'answer to an XMLHttpRequest': (it) => ({ script: xhr(`?text=${it}`, '') }),
  beacon: (it) => ({ script: `navigator.sendBeacon('${at}/json?beacon=${it}', '${it}')` }),
  'stream of events': (it) => ({
    script: `const stream = new EventSource('${at}/events?token=${it}')
      await later(300)
      stream.close()`,
  }),
  'form that is sent': (it) =>
    append(
      `document.createElement('form')`,
      `it.method = 'post'; it.action = '${at}/form?sent=${it}'
      it.innerHTML = '<input name="user" value="${it}"><iframe name="audit-form"></iframe>'
      it.target = 'audit-form'; it.submit()`,
    ),
}

/** Data that a browser keeps for a page. */
const storage: Places = {
  cookie: (it) => ({ early: `document.cookie = 'session=${it}'` }),
  'local storage': (it) => ({ early: `localStorage.setItem('audit', '${it}')` }),
  'session storage': (it) => ({ early: `sessionStorage.setItem('audit', '${it}')` }),
  database: (it) => ({
    script: `indexedDB.open('audit-' + '${it}').onupgradeneeded = ({ target }) =>
      target.result.createObjectStore('users').put('${it}', '${it}')`,
  }),
  cache: (it) => ({
    script: `await (await caches.open('audit')).put('${at}/cached?user=${it}', new Response('${it}'))`,
  }),
  'global variable': (it) => ({ early: `window.auditUser = { name: '${it}' }` }),
}

/** Console and errors: objects must not be read, and words are what the page hands over. */
const reports: Places = {
  'object that is logged': (it) => ({
    script: `console.log({ user: '${it}' }, ['${it}'], new Map([['${it}', '${it}']])); console.table([{ a: '${it}' }])`,
  }),
  'object with a text of its own that is logged': (it) => ({
    script: `console.warn({ toString: () => '${it}', toJSON: () => '${it}' })`,
  }),
  'object of a kind of its own that is logged': (it) => ({
    script: `for (const kind of ['Date', 'UserDate', 'DateRange', 'UserError', 'Exceptional', 'ErrorList'])
      console.log({ [Symbol.toStringTag]: kind, toString: () => '${it}', name: 'audit' })
      class Birthday extends Date { toString() { return '${it}' } }
      console.log(new Birthday(0), Object.assign(new Error('audit logged'), { toString: () => '${it}' }))`,
  }),
  'element that is logged': (it, id) => ({
    markup: `<p id="${id}">${it}</p>`,
    script: `console.error(document.getElementById('${id}'))`,
  }),
  'function that is logged': (it) => ({ script: `console.info(() => '${it}')` }),
  'members of an error': (it) => ({
    script: `setTimeout(() => { throw Object.assign(new Error('audit members'), { user: '${it}', response: { data: '${it}' } }) })`,
  }),
  'members of a thrown object': (it) => ({
    script: `setTimeout(() => { throw { user: '${it}', deep: { name: '${it}' } } })`,
  }),
  'members of a rejection': (it) => ({
    script: `Promise.reject({ user: '${it}', deep: { name: '${it}' } })`,
  }),
  'members of a cause': (it) => ({
    script: `setTimeout(() => { throw new Error('audit cause', { cause: { user: '${it}' } }) })`,
  }),
  'words that an error has lost': (it) => ({
    script: `for (const words of ['${it}', 'audit ${it}@host.test:25 ', 'audit first\\n    at ${it} (https://host.test/a.js:1:1)\\nb ${it}', 'audit first\\n    at ${it} (https://host.test/a.js:1:1)'])
      for (const kept of ['audit hidden', '']) {
        const error = new Error(words)
        error.message = kept
        setTimeout(() => { throw error })
        Promise.reject(Object.assign(new TypeError(words), { message: kept }))
        console.error(error)
        await later(30)
      }`,
  }),
  'words that a cause has lost': (it) => ({
    script: `const cause = new Error('audit first\\n    at ${it} (https://host.test/a.js:1:1)')
      cause.message = 'audit hidden cause'
      setTimeout(() => { throw new Error('audit with a cause', { cause }) })`,
  }),
  'detail of an event': (it) => ({
    script: `dispatchEvent(new CustomEvent('audit', { detail: '${it}' })); postMessage({ user: '${it}' }, '*')`,
  }),
  'words of an error': (it) => ({
    script: `setTimeout(() => { throw new TypeError('audit words ${it}') })`,
    told: 'the words of an error are its report',
  }),
  'words of a rejection': (it) => ({
    script: `Promise.reject('audit rejected ${it}')`,
    told: 'the words of an error are its report',
  }),
  'words that are logged': (it) => ({
    script: `console.log('audit logged ${it}')`,
    told: 'words on the console are steps to an error',
  }),
}

export const scriptPlaces: Places = {
  ...changes,
  ...navigation,
  ...requests,
  ...storage,
  ...reports,
}

/** An element that is made, put into the page, and then worked on under the name \`it\`. */
function append(element: string, then: string): { script: string } {
  return {
    script: `const it = document.getElementById('afterimage-audit').appendChild(${element})
      ${then}`,
  }
}

function xhr(query: string, body: string, header?: string): string {
  return `const request = new XMLHttpRequest()
    request.open('POST', '${at}/echo${query}')
    ${header === undefined ? '' : `request.setRequestHeader(${header})`}
    request.send('${body}')
    await new Promise((resolve) => (request.onloadend = resolve))`
}
