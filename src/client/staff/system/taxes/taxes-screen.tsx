import { useState } from 'react'
import { CsvMenu } from '#client/staff/kit/resource/csv-menu.tsx'
import { ResourceScreen } from '#client/staff/kit/resource/resource-screen.tsx'
import {
  deleteTaxRate,
  exportTaxRates,
  importTaxRates,
  listTaxRates,
  putTaxRate,
  type TaxRate,
} from '#contract/system/tax-rates.ts'
import { formatTaxRate, taxRateClasses } from '#domain/platform/tax-rate.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { Button } from '#ui/button/button.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { TaxQuoteDialog } from './tax-quote-dialog.tsx'
import { TaxRateDialog } from './tax-rate-dialog.tsx'

const placeOf = ({ region, postalPrefix }: TaxRate): string =>
  [region, postalPrefix && `${postalPrefix}${postalPrefix.length < 5 ? '…' : ''}`].filter(Boolean).join(' ')

const columns: readonly Column<TaxRate>[] = [
  { id: 'place', header: 'Place', sort: 'place', cell: placeOf },
  {
    id: 'rate',
    header: 'Rate',
    sort: 'rate',
    isNumber: true,
    cell: ({ rateMillionths }) => formatTaxRate(rateMillionths),
  },
  { id: 'class', header: 'For', cell: ({ taxClass }) => taxRateClasses[taxClass] },
  { id: 'from', header: 'From', sort: 'from', cell: ({ validFrom }) => formatDate(validFrom) },
]

/** The sales taxes by which orders of all studios are taxed. */
export const TaxesScreen = () => {
  const [isTesting, setTesting] = useState(false)
  return (
    <>
      <ResourceScreen
        title="Taxes"
        lead="The closest ZIP code and the latest date apply. Without a rate, downloads are taxed as goods, and shipping is not taxed."
        noun="tax rate"
        calls={{ list: listTaxRates, put: putTaxRate, remove: deleteTaxRate }}
        columns={columns}
        nameOf={(rate) => `${placeOf(rate)}, ${taxRateClasses[rate.taxClass]}`}
        searchPlaceholder="State or ZIP code"
        types={taxRateClasses}
        removalMessage="The next order is taxed without it. Earlier orders are unchanged."
        emptyText="Orders are not taxed until there is a rate for the customer’s state, or a tax service."
        extraActions={
          <>
            <Button variant="secondary" onClick={() => setTesting(true)}>
              Test an address
            </Button>
            <CsvMenu calls={{ exportFile: exportTaxRates, importFile: importTaxRates }} />
          </>
        }
        dialog={(rate, onClose) => <TaxRateDialog rate={rate} onClose={onClose} />}
      />
      {isTesting && <TaxQuoteDialog onClose={() => setTesting(false)} />}
    </>
  )
}
