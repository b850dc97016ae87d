import { plantedPath, type Places } from './place.ts'

const at = plantedPath

/** Places in the text of a document. */
const texts: Places = {
  'text of a paragraph': (it) => `<p>Dear ${it}</p>`,
  'text of a heading': (it) => `<h2>${it}</h2>`,
  'text of a list item': (it) => `<ul><li>${it}</li></ul>`,
  'text of a table cell': (it) => `<table><tbody><tr><td>${it}</td></tr></tbody></table>`,
  'caption of a table': (it) => `<table><caption>${it}</caption></table>`,
  'text of a label': (it) => `<label>${it}</label>`,
  'text of a button that is clicked': (it, id) => ({
    markup: `<button type="button" id="${id}">${it}</button>`,
    isClicked: true,
  }),
  'text of a link that is clicked': (it, id) => ({
    markup: `<a id="${id}" href="#">${it}</a>`,
    isClicked: true,
  }),
  'text of an element that is clicked': (it, id) => ({
    markup: `<div id="${id}"><b>${it}</b> owes</div>`,
    isClicked: true,
  }),
  'closed details and their summary': (it) =>
    `<details><summary>Mr ${it}</summary><p>${it}</p></details>`,
  'hidden text': (it) => `<div style="display:none">${it}</div><p hidden>${it}</p>`,
  'preformatted text': (it) => `<pre><code>const owner = ${it}</code></pre>`,
  template: (it) => `<template><p>${it}</p></template>`,
  noscript: (it) => `<noscript>${it}</noscript>`,
  'legend of a fieldset': (it) => `<fieldset><legend>${it}</legend></fieldset>`,
  'caption of a figure': (it) => `<figure><figcaption>${it}</figcaption></figure>`,
  dialog: (it) => `<dialog open style="position:static">${it}</dialog>`,
  'ruby text': (it) => `<ruby>a<rt>${it}</rt></ruby>`,
  'output of a form': (it) => `<output>${it}</output>`,
  'fallback of media': (it) =>
    `<video width="9" height="9">${it}</video><canvas width="9" height="9">${it}</canvas><object>${it}</object>`,
  'custom element': (it) => `<user-card>${it}</user-card>`,
  comment: (it) => `<!-- ${it} -->`,
  'data of a script': (it) => `<script type="application/json">{"user":"${it}"}</script>`,
  'content that can be edited': (it) => `<div contenteditable="true">${it}</div>`,
  'text of SVG': (it) =>
    `<svg width="90" height="20"><text y="15">${it}</text><foreignObject width="9" height="9"><p>${it}</p></foreignObject></svg>`,
  'title and description of SVG': (it) =>
    `<svg width="9" height="9" aria-label="${it}"><title>${it}</title><desc>${it}</desc></svg>`,
  mathematics: (it) => `<math><mi>${it}</mi></math>`,
  'declared shadow root': (it) =>
    `<div><template shadowrootmode="open"><p title="${it}">${it}</p>${it}</template></div>`,
  'document of an inner frame': (it) =>
    `<iframe width="90" height="30" srcdoc="<p title='${it}'>${it}</p><input value='${it}'>"></iframe>`,
  'inner frame of the same host': (it) =>
    `<iframe width="90" height="30" src="${at}/frame?text=${it}#${it}"></iframe>`,
  'meter and its number': (it) =>
    `<meter max="999999999" value="${it}">${it}</meter><progress max="999999999" value="${it}">${it}</progress>`,
}

/** Attributes; those of inputs are among the forms. */
const attributes: Places = {
  placeholder: (it) => `<input placeholder="${it}"><textarea placeholder="${it}"></textarea>`,
  title: (it, id) => ({ markup: `<span id="${id}" title="${it}">i</span>`, isClicked: true }),
  'alt of an image': (it) => `<img alt="${it}" src="${at}/image">`,
  'aria-label of a button that is clicked': (it, id) => ({
    markup: `<button type="button" id="${id}" aria-label="Pay ${it}">Pay</button>`,
    isClicked: true,
  }),
  'aria-description': (it) => `<i aria-description="${it}">i</i>`,
  'aria-valuetext': (it) => `<i role="slider" aria-valuenow="1" aria-valuetext="${it}">i</i>`,
  'aria-placeholder': (it) => `<i role="textbox" aria-placeholder="${it}">i</i>`,
  'aria-roledescription': (it) => `<i role="img" aria-roledescription="${it}">i</i>`,
  'data attribute': (it, id) => ({
    markup: `<div id="${id}" data-user="${it}" data-json='{"name":"${it}"}'>i</div>`,
    isClicked: true,
  }),
  'attribute that no standard knows': (it) => `<div customer="${it}" x-user="${it}">i</div>`,
  'handler in an attribute': (it) => `<div onmouseover="console.debug; '${it}'">i</div>`,
  microdata: (it) => `<div itemprop="name" content="${it}" itemid="urn:${it}">i</div>`,
  'abbr and summary of a table': (it) =>
    `<table summary="${it}"><tbody><tr><th abbr="${it}">i</th></tr></tbody></table>`,
  datetime: (it) => `<time datetime="${it}">today</time>`,
  'least and greatest number': (it) =>
    `<input type="number" min="-${it}" max="${it}" step="${it}"><meter min="0" max="${it}" low="${it}" high="${it}" optimum="${it}"></meter>`,
  'length of a text': (it) => `<input maxlength="${it}" minlength="${it}">`,
  'numbers read aloud': (it) =>
    `<i role="slider" aria-valuemin="${it}" aria-valuemax="${it}" aria-valuenow="${it}">i</i>`,
  'name of a download': (it) => `<a href="${at}/file" download="${it}.pdf">i</a>`,
  'label of a track': (it) =>
    `<video width="9" height="9"><track label="${it}" src="${at}/track?cue=${it}"></video>`,
  'content of a meta': (it) =>
    `<meta name="author" content="${it}"><meta property="og:title" content="${it}"><meta name="user" content="${it}"><meta name="description" content="${it}">`,
  'class, id and name of an element': (it, id) => ({
    markup: `<div class="${it}" data-x="1"><b id="${id}" name="${it}">i</b></div>`,
    isClicked: true,
    told: 'names of elements are how the page is drawn',
  }),
}

/** Addresses in a document: only the names in their queries and fragments may be sent. */
const addresses: Places = {
  'query of a link': (it, id) => ({
    markup: `<a id="${id}" href="${at}/link?email=${it}&${it}">i</a>`,
    isClicked: true,
  }),
  'fragment of a link': (it) => `<a href="${at}/link#token=${it}">i</a>`,
  'user and password of a link': (it) => `<a href="https://${it}:${it}@host.test/">i</a>`,
  'mail and telephone links': (it) => ({
    markup: `<a href="mailto:${it}@host.test?subject=${it}">i</a><a href="tel:${it}">i</a>`,
  }),
  'links that lead to no page': (it) =>
    ['sip', 'sips', 'skype', 'xmpp', 'geo', 'bitcoin', 'urn', 'magnet', 'im', 'facetime']
      .map((scheme) => `<a href="${scheme}:${it}">i</a>`)
      .join(''),
  'links into other applications': (it) =>
    ['otpauth', 'whatsapp', 'tg', 'slack', 'vscode', 'ftp']
      .map((scheme) => `<a href="${scheme}://${it}/${it}?text=${it}">i</a>`)
      .join(''),
  'user of a link without a scheme': (it) => `<a href="//${it}:${it}@host.test/">i</a>`,
  'mail address as user of a link': (it) => `<a href="https://bob@${it}:p@${it}@host.test/">i</a>`,
  'script in a link': (it) => `<a href="javascript:void '${it}'">i</a>`,
  'data of an address': (it) =>
    `<a href="data:text/plain,${it}">i</a><img alt="" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><text>${it}</text></svg>">`,
  'path of a link': (it) => ({
    markup: `<a href="${at}/users/${it}">i</a>`,
    told: 'paths are kept: routes are read from them',
  }),
  'query of an image': (it) => `<img alt="" src="${at}/image?user=${it}">`,
  'queries of a srcset': (it) =>
    `<img alt="" srcset="${at}/image?a=${it} 1x, ${at}/image?b=${it} 2x"><picture><source srcset="${at}/image?c=${it}"><img alt="" src="${at}/image"></picture>`,
  'query of a form': (it) =>
    `<form action="${at}/form?session=${it}"><button type="button" formaction="${at}/form?to=${it}">i</button></form>`,
  'query of an inner frame': (it) =>
    `<iframe width="9" height="9" src="${at}/frame?token=${it}"></iframe>`,
  'query of media': (it) =>
    `<video width="9" height="9" poster="${at}/image?poster=${it}" src="${at}/media?video=${it}"></video><audio src="${at}/media?audio=${it}"></audio>`,
  'query of an object': (it) =>
    `<object width="9" height="9" data="${at}/image?object=${it}"></object><embed width="9" height="9" src="${at}/image?embed=${it}">`,
  'query of a citation': (it) => `<blockquote cite="${at}/source?by=${it}">i</blockquote>`,
  'query of a ping': (it) => `<a href="#" ping="${at}/ping?by=${it}">i</a>`,
  'query of a reference in SVG': (it) =>
    `<svg width="9" height="9"><image href="${at}/image?svg=${it}"/><use xlink:href="${at}/image?use=${it}#${it}"/></svg>`,
  'query of a link in the head': (it) =>
    `<link rel="canonical" href="${at}/page?canonical=${it}"><link rel="prefetch" href="${at}/file?prefetch=${it}"><link rel="manifest" href="${at}/manifest?for=${it}">`,
  'query of a script': (it) => `<script async src="${at}/script?callback=${it}"></script>`,
}

export const documentPlaces: Places = { ...texts, ...attributes, ...addresses }
