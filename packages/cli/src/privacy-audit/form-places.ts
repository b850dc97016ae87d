import type { Places } from './place.ts'

/** Values that people type, choose and pick, and initial values of forms. */
export const formPlaces: Places = {
  'typed text': typed('text'),
  'typed search': typed('search'),
  'typed email': (it, id) => ({
    markup: `<input type="email" id="${id}">`,
    fill: `${it}@host.test`,
  }),
  'typed address': (it, id) => ({
    markup: `<input type="url" id="${id}">`,
    fill: `https://host.test/?q=${it}`,
  }),
  'typed tel': typed('tel'),
  'typed password': typed('password'),
  'typed number': typed('number'),
  'typed range': (it, id) => ({
    markup: `<input type="range" min="0" max="999999999" step="1" id="${id}">`,
    fill: it,
  }),
  'typed date': typed('date'),
  'typed month': typed('month'),
  'typed week': typed('week'),
  'typed time': (it, id) => ({ markup: `<input type="time" step="0.001" id="${id}">`, fill: it }),
  'typed date and time': (it, id) => ({
    markup: `<input type="datetime-local" step="0.001" id="${id}">`,
    fill: it,
  }),
  'typed colour': typed('color'),
  'typed in an area': (it, id) => ({ markup: `<textarea id="${id}"></textarea>`, fill: it }),
  'typed in content that can be edited': (it, id) => ({
    markup: `<div id="${id}" contenteditable="true">i</div>`,
    fill: it,
  }),
  'typed in a type of the future': (it, id) => ({
    markup: `<input type="passport" id="${id}">`,
    script: `document.getElementById('${id}').value = '${it}'
      document.getElementById('${id}').dispatchEvent(new InputEvent('input', { bubbles: true, data: '${it}' }))`,
  }),
  'typed card number': (it, id) => ({
    markup: `<input autocomplete="cc-number" id="${id}">`,
    fill: it,
  }),
  'typed one-time code': (it, id) => ({
    markup: `<input autocomplete="one-time-code" id="${id}">`,
    fill: it,
  }),
  'password that is being shown': (it, id) => ({
    markup: `<input type="password" id="${id}">`,
    script: `const shown = document.getElementById('${id}')
      shown.value = '${it}'; shown.dispatchEvent(new Event('input', { bubbles: true }))
      shown.type = 'text'; shown.setAttribute('value', '${it}')`,
  }),
  'typed in a label that shows all': (it, id) => ({
    markup: `<div class="afterimage-unmask sentry-unmask"><input type="password" id="${id}"></div>`,
    fill: it,
  }),
  'chosen option': (it, id) => ({
    markup: `<select id="${id}"><option>-</option><option value="${it}">Mr ${it}</option></select>`,
    choose: it,
  }),
  'chosen options of many': (it, id) => ({
    markup: `<select multiple id="${id}"><option value="${it}" label="${it}">${it}</option><option>-</option></select>`,
    choose: it,
  }),
  'name of a picked file': (it, id) => ({ markup: `<input type="file" id="${id}">`, file: it }),
  'value of a text input': (it) => `<input value="${it}">`,
  'value of a hidden input': (it) => `<input type="hidden" name="token" value="${it}">`,
  'value of a password input': (it) => `<input type="password" value="${it}">`,
  'value of a checkbox that is clicked': (it, id) => ({
    markup: `<input type="checkbox" id="${id}" value="${it}">`,
    isClicked: true,
  }),
  'value of a radio that is clicked': (it, id) => ({
    markup: `<input type="radio" name="audit-radio" id="${id}" value="${it}"><input type="radio" name="audit-radio" value="-" checked>`,
    isClicked: true,
  }),
  'value of buttons': (it, id) => ({
    markup: `<input type="button" id="${id}" value="Pay ${it}"><input type="reset" value="${it}"><input type="submit" value="${it}" form="none"><button type="button" value="${it}">i</button>`,
    isClicked: true,
  }),
  'alt of an image that submits': (it) => `<input type="image" alt="${it}" form="none">`,
  'text of an area': (it) => `<textarea>${it}</textarea>`,
  'options that nobody chose': (it) =>
    `<select><option selected>-</option><optgroup label="${it}"><option value="${it}">${it}</option></optgroup></select>`,
  'list of suggestions': (it) =>
    `<input list="audit-list"><datalist id="audit-list"><option value="${it}">${it}</option></datalist>`,
  'pattern of an input': (it) => `<input pattern="${it}.*">`,
  'value of a list item and of data': (it) => `<data value="${it}">i</data>`,
}

function typed(type: string): Places[string] {
  return (it, id) => ({ markup: `<input type="${type}" id="${id}">`, fill: it })
}
