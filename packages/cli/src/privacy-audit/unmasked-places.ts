import type { Hiding, Places } from './place.ts'

/**
 * Passwords and cards, which hold even where a page unmasks everything. Canaries of cards are the
 * first nine digits, so that what is sent while one types counts.
 */

/** Fields that nothing names but what people read, or that are named as no list foresees. */
const cardFields: Places = {
  'card number of a field without any name': (it, id) => card(it, `<input id="${id}">`),
  'card number of a field with a label': (it, id) =>
    card(it, `<label for="${id}">Card number</label><input id="${id}">`),
  'card number of a field inside of its label': (it, id) =>
    card(it, `<label>Card <input id="${id}"></label>`),
  'card number of a field with a title': (it, id) =>
    card(it, `<input title="Card number" id="${id}">`),
  'card number of a field that another labels': (it, id) =>
    card(it, `<b id="${id}l">Card number</b><input aria-labelledby="${id}l" id="${id}">`),
  'card number of a field with data': (it, id) =>
    card(it, `<input data-stripe="number" id="${id}">`),
  'card number of a field named ccno': (it, id) => card(it, `<input name="ccno" id="${id}">`),
  'card number of a field named creditCard': (it, id) =>
    card(it, `<input name="creditCard" id="${id}">`),
  'card number of a field with an example': (it, id) =>
    card(it, `<input placeholder="1234 1234 1234 1234" id="${id}">`),
  'card number of a German field': (it, id) =>
    card(it, `<label>Kartennummer <input id="${id}"></label>`),
  'card number of a French field': (it, id) =>
    card(it, `<label>Numéro de carte <input name="numero" id="${id}"></label>`),
  'card number of a Japanese field': (it, id) =>
    card(it, `<label>カード番号 <input id="${id}"></label>`),
  'card number of a field for telephones': (it, id) => card(it, `<input type="tel" id="${id}">`),
  'card number of a field for numbers': (it, id) => card(it, `<input type="number" id="${id}">`),
  'card number of a field for searches': (it, id) => card(it, `<input type="search" id="${id}">`),
  'card number typed in an area': (it, id) =>
    card(it, `<textarea id="${id}">Visa </textarea>`, 'Visa '),
  'card number typed in content that can be edited': (it, id) =>
    card(it, `<div contenteditable="true" id="${id}"></div>`),
  'card number typed with a mask': (it, id) => ({
    markup: `<input id="${id}" oninput="value = value.replace(/[^0-9]/g, '').padEnd(16, '_').replace(/(.{4})(?=.)/g, '$1 '); setSelectionRange(0, 0); const end = value.search('_'); end > 0 && setSelectionRange(end, end)">`,
    type: whole(it),
  }),
  'card number typed with dashes': (it, id) => ({
    markup: `<input id="${id}">`,
    type: grouped(it, '-'),
  }),
  'card number that a page fills in': (it, id) => ({
    markup: `<input id="${id}">`,
    script: `for (const end of [9, 11, 16]) { document.getElementById('${id}').value = '${whole(it)}'.slice(0, end); await later() }`,
  }),
  'card number in the value attribute': (it) => `<input value="${whole(it)}"><input value="${it}">`,
  'card number in a shadow root': (it) => ({
    script: `const it = document.getElementById('afterimage-audit').appendChild(document.createElement('div'))
      const input = it.attachShadow({ mode: 'open' }).appendChild(document.createElement('input'))
      await later()
      input.value = '${it}'
      input.dispatchEvent(new Event('input', { bubbles: true, composed: true }))`,
  }),
  'expiry of a card': (it, id) => ({ markup: `<input id="${id}">`, type: it }),
  'one-time code': (it, id) => ({ markup: `<input inputmode="numeric" id="${id}">`, type: it }),
}

/** Numbers of cards outside of fields. */
const cardTexts: Places = {
  'card number in a text': (it) => `<p>Card ${whole(it)} of Bob</p>`,
  'card number in groups': (it) => `<p>${grouped(it, ' ')}</p><p>${grouped(it, '-')}</p>`,
  'card number with spaces that do not break': (it) =>
    `<p>${grouped(it, '\u00a0')}</p><p>${grouped(it, '&nbsp;')}</p><p>${grouped(it, '\u202f')}</p>`,
  'card number with other separators': (it) =>
    `<p>${grouped(it, '\u2013')}</p><p>${grouped(it, '  ')}</p><p>${grouped(it, '.')}</p><p>${grouped(it, '\u200b')}</p>`,
  'card number in a label of a button that is clicked': (it, id) => ({
    markup: `<button type="button" id="${id}" aria-label="Pay with ${whole(it)}">Pay</button>`,
    isClicked: true,
  }),
  'card number in a title that is clicked': (it, id) => ({
    markup: `<b id="${id}" title="${grouped(it, '\u00a0')}">i</b>`,
    isClicked: true,
  }),
  'card number in the text of a button that is clicked': (it, id) => ({
    markup: `<button type="button" id="${id}">${grouped(it, '\u00a0')}</button>`,
    isClicked: true,
  }),
  'card number in data': (it) =>
    `<i data-card="${whole(it)}" data-json='{"card":"${grouped(it, ' ')}"}' customer="${whole(it)}">i</i>`,
  'card number in attributes of texts': (it) =>
    `<img alt="${whole(it)}"><input placeholder="${grouped(it, ' ')}"><meter value="1" max="${whole(it)}"></meter>`,
  'card number of a button, box, radio and option': (it, id) => ({
    markup: `<input type="button" value="Pay ${whole(it)}"><input type="checkbox" id="${id}" value="${whole(it)}"><input type="radio" value="${whole(it)}"><select><option value="${whole(it)}">${whole(it)}</option></select>`,
    isClicked: true,
  }),
  'card number in attributes that change': (it, id) => ({
    markup: `<i id="${id}">i</i>`,
    script: `for (const name of ['title', 'aria-label', 'data-card', 'value', 'placeholder'])
      document.getElementById('${id}').setAttribute(name, '${whole(it)}')`,
  }),
  'card number in a style sheet': (it) =>
    `<style>.audit-card::after{content:"${grouped(it, ' ')}"}</style><i style="--card:'${whole(it)}'">i</i>`,
  'card number in a text that changes': (it, id) => ({
    markup: `<p id="${id}">i</p>`,
    script: `document.getElementById('${id}').firstChild.data = 'Card ${grouped(it, '\u00a0')}'`,
  }),
  'card number that is drawn while one types': (it, id) => ({
    markup: `<input id="${id}" oninput="nextElementSibling.textContent = value.padEnd(16, '#').replace(/(.{4})/g, '$1 '); nextElementSibling.dataset.card = value"><p></p>`,
    type: whole(it),
  }),
}

const passwords: Places = {
  'password that is typed': (it, id) => ({
    markup: `<input type="password" id="${id}">`,
    type: it,
  }),
  'password in attributes of its field': (it, id) => ({
    markup: `<input type="password" value="${it}" id="${id}" oninput="for (const name of ['value', 'data-value', 'title', 'aria-label', 'placeholder']) setAttribute(name, value)">`,
    fill: it,
  }),
  'password in attributes beside its field': (it, id) => ({
    markup: `<input type="password" id="${id}" oninput="for (const name of ['data-value', 'title', 'aria-label', 'value', 'customer']) nextElementSibling.setAttribute(name, 'Is ' + value)"><i>i</i>`,
    type: it,
  }),
  'password that a script sets and repeats': (it, id) => ({
    markup: `<input type="password" id="${id}"><i id="${id}i">i</i>`,
    script: `document.getElementById('${id}').value = '${it}'
      document.getElementById('${id}i').textContent = 'Your password is ${it}'
      document.getElementById('${id}i').title = '${it}'`,
  }),
  'password that is repeated as text': (it, id) => ({
    markup: `<input type="password" id="${id}" oninput="nextElementSibling.textContent = value"><p></p>`,
    type: it,
  }),
  'password that is repeated in another field': (it, id) => ({
    markup: `<input type="password" id="${id}" oninput="nextElementSibling.value = value"><input>`,
    type: it,
  }),
  'password in a label that is clicked': (it, id) => ({
    markup: `<input type="password" value="${it}"><button type="button" id="${id}" aria-label="Copy ${it}">Copy ${it}</button>`,
    isClicked: true,
  }),
  'password that is shown': (it, id) => ({
    markup: `<input type="password" id="${id}" value="${it}">`,
    script: `const shown = document.getElementById('${id}')
      shown.type = 'text'
      await later()
      shown.value = '${it}b'; shown.dispatchEvent(new Event('input', { bubbles: true }))
      shown.setAttribute('value', '${it}')`,
  }),
  'password in another field that takes its place': (it, id) => ({
    markup: `<input type="password" id="${id}" value="${it}">`,
    script: `await later()
      const shown = document.createElement('input')
      shown.value = '${it}'
      document.getElementById('${id}').replaceWith(shown)`,
  }),
  'password that is shown before anything records': (it, id) =>
    shownEarly(id, `<input type="password" id="${id}" value="${it}">`, `it.type = 'text'`),
  'password that is typed and shown before anything records': (it, id) =>
    shownEarly(
      id,
      `<input type="password" id="${id}">`,
      `it.value = '${it}'
      it.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
      it.setAttribute('type', 'text')`,
    ),
  'password that takes another field before anything records': (it, id) =>
    shownEarly(
      id,
      `<input type="password" id="${id}">`,
      `it.value = '${it}'
      it.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
      const shown = document.createElement('input')
      shown.value = '${it}'
      it.replaceWith(shown)`,
    ),
  'password in a shadow root': (it) => ({
    script: `const it = document.getElementById('afterimage-audit').appendChild(document.createElement('div'))
      const input = it.attachShadow({ mode: 'open' }).appendChild(document.createElement('input'))
      input.type = 'password'
      await later()
      input.value = '${it}'
      input.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
      await later()
      input.type = 'text'
      input.setAttribute('value', '${it}')
      input.after('${it}')`,
  }),
  'password in a frame': (it, id) => ({
    markup: `<iframe id="${id}" width="9" height="9" srcdoc="<input type='password'>"></iframe>`,
    script: `await later(300)
      const { contentDocument: page, contentWindow: view } = document.getElementById('${id}')
      const input = page.querySelector('input')
      input.value = '${it}'
      input.dispatchEvent(new view.Event('input', { bubbles: true }))
      await later()
      input.type = 'text'
      input.setAttribute('value', '${it}')
      input.after('${it}')`,
  }),
  'password by its name': (it, id) => ({
    markup: `<input name="user[password]" id="${id}"><input id="pwd" value="${it}"><input aria-label="Your passphrase" value="${it}">`,
    type: it,
  }),
  'password whose letters a style hides': (it, id) => ({
    markup: `<input style="-webkit-text-security:disc" id="${id}">`,
    type: it,
  }),
  'password that is filled in and never typed': (it, id) => ({
    markup: `<input type="password" id="${id}">`,
    script: `document.getElementById('${id}').value = '${it}'
      await later(300)
      document.getElementById('${id}').after('${it}')`,
  }),
  'password in a style and a title': (it, id) => ({
    markup: `<input type="password" id="${id}" oninput="document.title = value; nextElementSibling.style.setProperty('--copy', JSON.stringify(value)); nextElementSibling.ariaLabel = value"><i>i</i>`,
    type: it,
  }),
  'password by its purpose': (it, id) => ({
    markup: `<input autocomplete="section-a current-password" id="${id}"><input autocomplete="new-password" value="${it}">`,
    type: it,
  }),
  'one-time code of letters by its purpose': (it, id) => ({
    markup: `<input autocomplete="one-time-code" id="${id}">`,
    type: it,
  }),
  'name on a card by its purpose': (it, id) => ({
    markup: `<input autocomplete="billing cc-name" id="${id}">`,
    type: it,
  }),
}

/** Parts of a page that few people see, and words about it. */
const corners: Places = {
  'card number in a drawing': (it) =>
    `<svg width="9" height="9" aria-label="${whole(it)}"><title>${whole(it)}</title><text>${grouped(it, ' ')}</text></svg>`,
  'card number of suggestions': (it) =>
    `<datalist><option value="${whole(it)}" label="${grouped(it, ' ')}"></option></datalist>`,
  'card number in a frame': (it, id) => ({
    markup: `<iframe id="${id}" width="9" height="9" srcdoc="<p title='${whole(it)}'>${grouped(it, ' ')}</p><input value='${whole(it)}'>"></iframe>`,
    script: `await later(300)
      document.getElementById('${id}').contentDocument.body.append('${grouped(it, ' ')}')`,
  }),
  'card number in a popover and a dialog': (it) =>
    `<div popover>${whole(it)}</div><dialog open style="position:static" aria-label="${whole(it)}">${grouped(it, '-')}</dialog>`,
  'card number in a shadow root and its sheet': (it) => ({
    script: `const it = document.getElementById('afterimage-audit').appendChild(document.createElement('div'))
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('p::after{content:"${grouped(it, ' ')}"}')
      const root = it.attachShadow({ mode: 'open' })
      root.adoptedStyleSheets = [sheet]
      root.innerHTML = '<p title="${whole(it)}">${grouped(it, ' ')}</p>'`,
  }),
  'card number that is pasted': (it, id) => ({
    markup: `<div id="${id}" contenteditable="true"></div><input id="${id}i">`,
    script: `for (const end of ['', 'i']) {
        document.getElementById('${id}' + end).focus()
        document.execCommand('insertText', false, '${grouped(it, ' ')}')
      }`,
  }),
  'card number in the title of the document': (it) => ({
    script: `document.title = 'Pay with ${grouped(it, ' ')}'`,
  }),
  'card number in the state of a custom element': (it) => ({
    script: `const it = document.getElementById('afterimage-audit').appendChild(document.createElement('audit-pay'))
      it.ariaLabel = it.ariaDescription = '${whole(it)}'
      it.append('${grouped(it, ' ')}')`,
  }),
  'card number in query and fragment of a link': (it) =>
    `<a href="/pay?card=${whole(it)}&${whole(it)}#${whole(it)}">i</a>`,
  'card number in an address of data': (it) => `<a href="tel:${whole(it)}">i</a>`,
}

/** Places that may be sent: without any, nothing would be unmasked. */
const shown: Places = {
  'text that is unmasked': (it) => ({ markup: `<p>${it}</p>`, told: 'it is unmasked' }),
  'label that is unmasked and clicked': (it, id) => ({
    markup: `<button type="button" id="${id}" aria-label="${it}">i</button>`,
    isClicked: true,
    told: 'it is unmasked',
  }),
  'words that are typed where all is unmasked': (it, id) => ({
    markup: `<input id="${id}">`,
    fill: `Mr ${it} of 12 Main Street`,
    told: 'it is unmasked',
  }),
}

export const unmaskedPlaces: Places = {
  ...cardFields,
  ...cardTexts,
  ...passwords,
  ...corners,
  ...shown,
}

/** Sixteen digits. */
function whole(begin: string): string {
  return `${begin}4209171`
}

function grouped(begin: string, separator: string): string {
  return whole(begin).replace(/(.{4})(?=.)/g, `$1${separator}`)
}

function card(begin: string, markup: string, before = ''): Hiding {
  return { markup, type: before + whole(begin) }
}

/** Runs once the document and the client are there, before browsers are idle. */
function shownEarly(id: string, markup: string, then: string): Hiding {
  return {
    markup,
    early: `addEventListener('DOMContentLoaded', () => {
      const it = document.getElementById('${id}')
      if (it === null) return
      ${then}
    })`,
  }
}
