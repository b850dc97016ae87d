import { plantedPath, type Places } from './place.ts'

const at = plantedPath

/** Style sheets write on the page, and carry addresses, images and data. */
const sheets: Places = {
  'address in a style attribute': (it) =>
    `<div style="background-image:url('${at}/image?style=${it}')">i</div>`,
  'text and property in a style attribute': (it) =>
    `<div style="--user:'${it}';quotes:'${it}' '${it}'">i</div>`,
  'bare property in a style attribute': (it) =>
    `<div style="color:red;--owner: Mr ${it};--deep:{name:${it};b:${it}}">i</div>`,
  'image in a style attribute': (it) =>
    `<div style="mask:url(&quot;${drawing(it)}&quot;);--image:url(&quot;${drawing(it)}&quot;)">i</div>`,
  'address in a style element': (it) =>
    `<style>.audit-a{background:url("${at}/image?sheet=${it}")}</style><div class="audit-a">i</div>`,
  'image in a style element': (it) =>
    `<style>.audit-j{background:url("${drawing(it)}") , url(${drawing(it).replaceAll(' ', '%20')})}</style>`,
  'text in a style element': (it) =>
    `<style>.audit-b::after{content:"${it}"}</style><i class="audit-b"></i>`,
  'text around others in a style element': (it) =>
    `<style>.audit-k::after{content:"\\"" counter(audit) " ${it}" attr(id)}</style>`,
  'escaped text in a style element': (it) =>
    `<style>.audit-l::after{content:"${it.replace('a', '\\61 ')} ${it}"}</style>`,
  'property in a style element': (it) => `<style>:root{--audit-user:"${it}"}</style>`,
  'bare property in a style element': (it) =>
    `<style>.audit-m{--audit-owner:${it};--audit-balance: account ${it} of Bob}</style>`,
  'list marker in a style element': (it) =>
    `<style>.audit-n{list-style-type:"${it}"} .audit-o{list-style:inside "${it}"}</style>`,
  'counter style in a style element': (it) =>
    `<style>@counter-style audit{system:cyclic;symbols:"${it}" ${it};prefix:"${it}";suffix:${it}}
      @counter-style audit-b{system:additive;additive-symbols:1 "${it}", 0 ${it};pad:3 "${it}";negative:"${it}"}</style>`,
  'quotes in a style element': (it) =>
    `<style>.audit-p{quotes:"${it}" "${it}"} .audit-p::before{content:open-quote}</style>`,
  'registered property in a style element': (it) =>
    `<style>@property --audit-name{syntax:"*";inherits:false;initial-value:${it}}</style>`,
  'selectors of attributes in a style element': (it) =>
    `<style>[data-user="${it}"],[title^="${it}"],[aria-label=${it}]{color:red} a:not([data-b*='${it}']){top:0}</style>`,
  'ellipsis, hyphen and emphasis in a style element': (it) =>
    `<style>.audit-q{text-overflow:"${it}";hyphenate-character:"${it}";text-emphasis:"${it}"}</style>`,
  'rules inside of others in a style element': (it) =>
    `<style>@media all{@supports (top:0){.audit-r{&:hover::after{content:"${it}"} --audit-in:${it}}}}</style>`,
  'comment in a style element': (it) => `<style>/* ${it} */.audit-c{color:inherit}</style>`,
  'linked style sheet': (it) => `<link rel="stylesheet" href="${at}/sheet?text=${it}">`,
}

/** Changes of styles by scripts. */
const changes: Places = {
  'style that changes': (it, id) => ({
    markup: `<p id="${id}">i</p>`,
    script: `const { style } = document.getElementById('${id}')
      style.setProperty('--user', '"${it}"')
      style.backgroundImage = 'url(${at}/image?late-style=${it})'`,
  }),
  'bare property that changes': (it, id) => ({
    markup: `<p id="${id}" style="top:0">i</p>`,
    script: `const { style } = document.getElementById('${id}')
      style.setProperty('--owner', '${it} and ${it}')
      await later()
      style.cssText = 'top:1px;--late-owner:${it}'`,
  }),
  'rule that is inserted': (it) => ({
    script: `${late()}
      element.sheet.insertRule('.audit-d::after{content:"${it}";background:url(${at}/image?rule=${it})}')`,
  }),
  'bare property of a rule that is inserted': (it) => ({
    script: `${late()}
      element.sheet.insertRule('.audit-s{--owner:${it};--deep:{a:${it}}}')
      element.sheet.insertRule('[title="${it}"]{background:url("data:image/svg+xml,<b>${it}</b>")}')
      element.sheet.insertRule('@counter-style audit-c{symbols:${it};suffix:"${it}"}')
      element.sheet.insertRule('@media all{ol{list-style-type:"${it}"}}')`,
  }),
  'property of a rule that is set': (it) => ({
    script: `${late()}
      element.textContent = '.audit-t{top:0}'
      await later()
      const [{ style }] = element.sheet.cssRules
      style.setProperty('content', '"${it}"')
      style.setProperty('--owner', '${it}')
      style.setProperty('quotes', '"${it}" "${it}"', 'important')
      style.setProperty('background-image', 'url("${at}/image?set=${it}"), url("data:image/svg+xml,${it}")')`,
  }),
  'style element that is added': (it) =>
    added(`it.textContent = '.audit-e::after{content:"${it}"}'`),
  'bare words of a style element that is added': (it) =>
    added(`it.textContent = '/* ${it} */ .audit-u{--owner:${it}} [data-u=${it}]{top:0}'`),
  'style element whose text changes': (it) =>
    added(`it.textContent = '.audit-v{top:0}'
      await later()
      it.firstChild.data = '.audit-v{--owner:${it};quotes:"${it}" ""}/* ${it} */'`),
  'adopted style sheet': (it) => ({
    script: `const sheet = new CSSStyleSheet()
      sheet.replaceSync('.audit-f::after{content:"${it}";background:url(${at}/image?adopted=${it})}')
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
      await later()
      sheet.replaceSync('.audit-g::after{content:"${it}"}')
      await later()
      sheet.insertRule('.audit-h{--user:"${it}"}')`,
  }),
  'bare words of an adopted style sheet': (it) => ({
    script: `const sheet = new CSSStyleSheet()
      sheet.replaceSync('.audit-w{--owner:${it}} [data-v="${it}"]{top:0}')
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
      await later()
      sheet.replaceSync('.audit-x{--owner:${it};list-style-type:"${it}"}')
      sheet.insertRule('.audit-y{--owner:${it}}')
      await sheet.replace('@counter-style audit-d{symbols:${it}} .audit-z{mask:url("data:image/svg+xml,${it}")}')`,
  }),
}

export const stylePlaces: Places = { ...sheets, ...changes }

/** An image with a text in it. */
function drawing(text: string): string {
  return `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><text>${text}</text></svg>`
}

/** A style element in the document, under the name \`element\`. */
function late(): string {
  return `const element = document.head.appendChild(document.createElement('style'))
      await later()`
}

function added(then: string): { script: string } {
  return {
    script: `const it = document.getElementById('afterimage-audit').appendChild(document.createElement('style'))
      ${then}`,
  }
}
