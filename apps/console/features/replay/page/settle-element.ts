import { settleChoices } from './choices.ts'

/**
 * Brings an element to the state that its attributes of the recorder name and that no attribute makes: a modal
 * dialog and an open popover are in the top layer, a sheet that is off has no effect, a list has its choices.
 */
export function settleElement(element: HTMLElement): void {
  if (!element.isConnected) return
  if (element.localName === 'dialog') settleDialog(element as HTMLDialogElement)
  if (element.localName === 'select') settleChoices(element as HTMLSelectElement)
  if (element.hasAttribute('popover')) settlePopover(element)
  const sheet = (element as HTMLStyleElement).sheet
  if (element.localName === 'style' && sheet) sheet.disabled = isOff(element)
}

function isOff(element: Element): boolean {
  return element.hasAttribute('rr_sheet_off') || element.hasAttribute('disabled')
}

function settleDialog(dialog: HTMLDialogElement): void {
  const isModal = dialog.hasAttribute('open') && dialog.getAttribute('rr_open_mode') === 'modal'
  if (isModal === dialog.matches(':modal')) return
  const isOpen = dialog.open
  // Only closing takes it out of the top layer, and only what is open can be closed.
  dialog.setAttribute('open', '')
  dialog.close()
  if (isModal) dialog.showModal()
  else if (isOpen) dialog.setAttribute('open', '')
}

function settlePopover(element: HTMLElement): void {
  const isOpen = element.getAttribute('rr_popover') === 'open'
  if (isOpen === element.matches(':popover-open')) return
  if (isOpen) element.showPopover()
  else element.hidePopover()
}
