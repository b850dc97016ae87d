import { plantedPath, type Places } from './place.ts'

const at = plantedPath
const names = 'names are how developers find elements'

/** Elements and attributes that few pages have, and whose words people read all the same. */
const elements: Places = {
  'popover that is closed': (it) => `<div popover>${it}</div>`,
  'popover that is shown': (it, id) => ({
    markup: `<div popover="manual" id="${id}" title="${it}">${it}</div>`,
    script: `const it = document.getElementById('${id}')
      it.showPopover()
      await later()
      it.append('later ${it}')
      it.hidePopover()`,
  }),
  'modal dialog and its answer': (it, id) => ({
    markup: `<dialog id="${id}"><form method="dialog"><button value="${it}">${it}</button></form></dialog>`,
    script: `const it = document.getElementById('${id}')
      it.showModal()
      await later()
      it.close('${it}')`,
  }),
  'fallback of a slot': (it) =>
    `<div><template shadowrootmode="open"><slot name="none">${it}</slot></template></div>`,
  'text in a slot': (it) =>
    `<div><template shadowrootmode="open"><slot name="a"></slot></template><b slot="a" title="${it}">${it}</b></div>`,
  'shadow root in another': (it) =>
    `<div><template shadowrootmode="open"><div><template shadowrootmode="open"><p title="${it}">${it}</p><input value="${it}"></template></div></template></div>`,
  'label of an option': (it) =>
    `<select><option selected>-</option><option label="${it}">i</option><optgroup label="${it}"></optgroup></select>`,
  'content of a select that is drawn by the page': (it) =>
    `<select><button><selectedcontent></selectedcontent></button><option selected><b>${it}</b></option></select>`,
  'labels of suggestions': (it) =>
    `<datalist><option label="${it}" value="i"></option><option>${it}</option></datalist>`,
  'animated values of SVG': (it) =>
    `<svg width="9" height="9"><a href="#"><set attributeName="href" to="${at}/page?to=${it}"/><animate attributeName="href" values="#;?q=${it}" from="data:text/html,${it}" to="?to=${it}"/></a></svg>`,
  'spans, paths and metadata of SVG': (it) =>
    `<svg width="9" height="9"><path id="audit-path" d="M0 0h9"/><text><tspan>${it}</tspan><textPath href="#audit-path">${it}</textPath></text><metadata>${it}</metadata><switch><text>${it}</text></switch></svg>`,
  'attributes of SVG that drawing programs write': (it) =>
    `<svg width="9" height="9" inkscape:label="${it}"><g sodipodi:docname="${it}" data-user="${it}" aria-description="${it}"><path d="M0 0h9" xlink:role="${it}" title="${it}"/></g></svg>`,
  'attributes of SVG that may be its geometry': (it) => ({
    markup: `<svg width="9" height="9"><path d="M0 0h9" owner="${it}"/></svg>`,
    told: 'drawings that are recorded keep their geometry',
  }),
  'links and titles of SVG': (it) =>
    `<svg width="9" height="9"><a xlink:title="${it}" xlink:href="${at}/link?svg=${it}" href="mailto:${it}@host.test"><path d="M0 0h9"/></a></svg>`,
  'paint of SVG': (it) =>
    `<svg width="9" height="9"><path d="M0 0h9" fill="url(${at}/image?fill=${it}#a)" filter="url('${at}/image?filter=${it}#${it}')" mask="url(data:image/svg+xml,${it})"/><style>.audit-svg{--owner:${it};fill:url(${at}/image?paint=${it})}</style></svg>`,
  'annotation of mathematics': (it) =>
    `<math alttext="${it}" href="${at}/math?of=${it}"><semantics><mi title="${it}">x</mi><annotation encoding="application/x-tex">${it}</annotation></semantics></math>`,
  'text that is neither element nor comment': (it) =>
    `<svg width="9" height="9"><![CDATA[${it}]]></svg><?user ${it}?><!DOCTYPE ${it}></${it} b>`,
  'elements that are no longer written': (it) =>
    `<marquee>${it}</marquee><xmp>${it}</xmp><listing>${it}</listing><noembed>${it}</noembed><noframes>${it}</noframes><isindex prompt="${it}">`,
  'image map and its areas': (it) =>
    `<map name="audit-map"><area alt="${it}" title="${it}" href="${at}/area?of=${it}#${it}" coords="0,0,1,1"></map><img alt="" usemap="#audit-map" longdesc="${at}/text?of=${it}">`,
  'parameters of an object': (it) =>
    `<object width="9" height="9"><param name="user" value="${it}"></object><embed width="9" height="9" flashvars="user=${it}">`,
  'page that a meta leads to': (it) =>
    `<meta http-equiv="refresh" content="9999;url=${at}/page?token=${it}"><meta name="csrf-token" content="${it}"><meta name="keywords" content="${it}"><meta itemprop="name" content="${it}">`,
  'title of a style sheet': (it) =>
    `<link rel="alternate" title="${it}" href="${at}/file?alternate=${it}"><link rel="preload" as="image" imagesrcset="${at}/image?preload=${it} 1x" href="${at}/image?p=${it}"><style title="audit-${it}">.audit-title{top:0}</style>`,
  'structured data of a script': (it) =>
    `<script type="application/ld+json">{"@type":"Person","name":"${it}"}</script><script type="text/template"><p>${it}</p></script><script type="speculationrules">{"tag":"${it}"}</script>`,
  'nonce and integrity': (it) => `<script nonce="${it}"></script><link integrity="${it}">`,
  'values of the attributes of frameworks': (it) =>
    `<div x-data='{"user":"${it}"}' hx-vals='{"user":"${it}"}' hx-headers='{"Authorization":"${it}"}' wire:snapshot='{"user":"${it}"}' ng-reflect-name="${it}" :title="'${it}'" @click="pay('${it}')" v-text="'${it}'">i</div>`,
  'names of namespaces': (it) => `<div xmlns:user="urn:${it}" xml:lang="${it}">i</div>`,
  'words for braille and keys': (it) =>
    `<i aria-braillelabel="${it}" aria-brailleroledescription="${it}" aria-keyshortcuts="${it}" aria-rowindextext="${it}" aria-colindextext="${it}" accesskey="${it}">i</i>`,
  'attributes of linked data': (it) =>
    `<p about="urn:${it}" resource="${at}/id?of=${it}" property="name" content="${it}" typeof="${it}" itemtype="${at}/type?of=${it}">i</p>`,
  'addresses in attributes of old': (it) =>
    `<table background="${at}/image?table=${it}"></table><img alt="" lowsrc="${at}/image?low=${it}" dynsrc="${at}/image?dyn=${it}"><del cite="${at}/why?del=${it}" datetime="${it}">i</del><q cite="${at}/why?q=${it}">i</q>`,
  'addresses for advertisers': (it) =>
    `<a href="#" attributionsrc="${at}/ping?a=${it}" attributiondestination="https://${it}.test">i</a>`,
  'sources of media': (it) =>
    `<video width="9" height="9"><source src="${at}/media?video=${it}"></video><audio><source src="data:audio/wav,${it}"></audio>`,
  'documents in addresses of data': (it) =>
    `<iframe width="9" height="9" src="data:text/html,<p>${it}</p>"></iframe><object width="9" height="9" data="data:text/html,${it}"></object><embed width="9" height="9" src="data:text/html,${it}"><link rel="stylesheet" href="data:text/css,.a::after{content:'${it}'}"><script src="data:text/javascript,'${it}'"></script>`,
  'text that a link scrolls to': (it) => `<a href="${at}/link#:~:text=${it}">i</a>`,
  'permissions and window of a frame': (it) =>
    `<iframe width="9" height="9" allow="camera https://${it}.test" csp="img-src https://${it}.test"></iframe><a href="#" target="${it}">i</a>`,
  'direction and list of a form': (it) =>
    `<form target="${it}" accept-charset="${it}"><input dirname="${it}" accept=".${it}" inputmode="${it}" enterkeyhint="${it}"></form>`,
  'style, property and address in an animation': (it, id) => ({
    markup: `<i id="${id}">i</i>`,
    script: `document.getElementById('${id}').animate([{ '--owner': '${it}', backgroundImage: 'url(${at}/image?frame=${it})' }], 50)`,
  }),
  'kind, language and medium of an element': (it) => ({
    markup: `<source type="${it}"><link rel="${it}" media="${it}" type="${it}"><i lang="${it}" is="${it}" slot="${it}">i</i>`,
    told: names,
  }),
  'names of attributes and elements': (it) => ({
    markup: `<user-${it} data-${it} ${it}="1">i</user-${it}>`,
    told: names,
  }),
  'names that tests look for and parts': (it, id) => ({
    markup: `<button type="button" id="${id}" data-testid="${it}" role="${it}" part="${it}">i</button>`,
    isClicked: true,
    told: names,
  }),
}

/** Rarer rules of style sheets. */
const styles: Places = {
  'text beside a drawn one in a style element': (it) =>
    `<style>.audit-2a::after{content:url("${at}/image?content=${it}") / "${it}"} @page{@top-left{content:"${it}"}}</style>`,
  'imported sheet': (it) =>
    `<style>@import url("${at}/sheet?import=${it}&text=x"); @import "${at}/sheet?bare=${it}&text=x";</style>`,
  'source of a font': (it) =>
    `<style>@font-face{font-family:audit;src:url("${at}/font?of=${it}"),url(data:font/woff2,${it})}</style>`,
  'cursor, set of images and filter': (it) =>
    `<style>.audit-2b{cursor:url(${at}/image?cursor=${it}),auto;background:image-set("${at}/image?set=${it}" 1x,"data:image/svg+xml,${it}" 2x);filter:url("${at}/image?filter=${it}#${it}")}</style>`,
  'language and namespace in a style element': (it) =>
    `<style>@namespace audit "?of=${it}"; :lang("${it}"){top:0} .audit-2c{--deep:{a:"${it}"} }</style>`,
  'default of a property in a style element': (it) =>
    `<style>.audit-2g{content:var(--a, "${it}");--b:var(--c, ${it})}</style>`,
  'default of a property in a style attribute': (it) =>
    `<i style="--a:var(--b, ${it});content:var(--c, '${it}');background:var(--d, url(${at}/image?var=${it}))">i</i>`,
  'frames of an animation in a style element': (it) =>
    `<style>@keyframes audit-2h{from{--owner:${it}}to{content:"${it}";background:url(${at}/image?key=${it})}}</style>`,
  'selector and frame that change': (it) => ({
    script: `const element = document.head.appendChild(document.createElement('style'))
      element.textContent = '.audit-2i{top:0} @keyframes audit-2j{from{top:0}} @media all{.audit-2k{top:0}}'
      await later()
      const [rule, frames, group] = element.sheet.cssRules
      rule.selectorText = '[title="${it}"]'
      frames.appendRule('to{--owner:${it}}')
      group.insertRule('.audit-2l{--owner:${it}}')
      group.cssRules[0].style.setProperty('--owner', '${it}')
      rule.styleMap.set('--owner', '${it}')
      rule.style.background = 'url(${at}/image?rule=${it})'
      await later(700)`,
  }),
  'typed styles of an element': (it, id) => ({
    markup: `<i id="${id}">i</i>`,
    script: `const { attributeStyleMap } = document.getElementById('${id}')
      attributeStyleMap.set('--owner', '${it}')
      attributeStyleMap.append('background-image', 'url(${at}/image?typed=${it})')`,
  }),
  'property and font that a script registers': (it) => ({
    script: `document.fonts.add(new FontFace('audit', 'url(${at}/font?face=${it})'))
      CSS.registerProperty({ name: '--audit-registered', syntax: '*', inherits: false, initialValue: '${it}' })`,
  }),
  'sheet that a shadow root adopts': (it) => ({
    script: `const it = document.getElementById('afterimage-audit').appendChild(document.createElement('div'))
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('p::after{content:"${it}";--owner:${it}} [title="${it}"]{background:url(${at}/image?shadow=${it})}')
      const root = it.attachShadow({ mode: 'open' })
      root.adoptedStyleSheets = [sheet]
      root.innerHTML = '<p>i</p>'
      await later()
      sheet.cssRules[0].style.setProperty('--owner', 'late ${it}')
      sheet.insertRule(':host{--owner:${it}}')
      await later(700)`,
  }),
  'conditions in a style element': (it) => ({
    markup: `<style>@container style(--owner: ${it}){.audit-2d{top:0}} @supports (--owner: ${it}){.audit-2e{top:0}}</style>`,
    told: 'conditions are code of the page',
  }),
  'names in a style element': (it) => ({
    markup: `<style>@layer ${it}{.audit-${it}{grid-area:${it};font-family:"${it}";animation-name:${it};cursor:var(--a, ${it})}}</style>`,
    told: names,
  }),
}

export const elementPlaces: Places = { ...elements, ...styles }
