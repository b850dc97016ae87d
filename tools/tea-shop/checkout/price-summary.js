/** The lines of the basket, the voucher and what is to be paid, in euros. */
export function priceSummary(lines, voucher) {
  const sum = lines.reduce((total, line) => total + line.price, 0)
  return formatTotal(sum, voucher)
}

function formatTotal(sum, voucher) {
  const total = voucher === null ? sum : sum - voucher.discount.amount
  return new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(total)
}
