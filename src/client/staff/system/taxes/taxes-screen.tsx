import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { deleteTaxRate, listTaxRates, type TaxRate } from '#contract/system/tax-rates.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { formatTaxRate, taxRateClasses } from '#domain/studio/tax-rate.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { toast } from '#ui/toast/toast.ts'
import { TaxRateDialog } from './tax-rate-dialog.tsx'

const placeOf = ({ region, postalPrefix }: TaxRate): string =>
  [region, postalPrefix && `${postalPrefix}${postalPrefix.length < 5 ? '…' : ''}`].filter(Boolean).join(' ')

const columns: readonly Column<TaxRate>[] = [
  { id: 'place', header: 'Place', sort: 'place', cell: placeOf },
  { id: 'class', header: 'For', cell: ({ taxClass }) => taxRateClasses[taxClass] },
  {
    id: 'rate',
    header: 'Rate',
    sort: 'rate',
    isNumber: true,
    cell: ({ rateMillionths }) => formatTaxRate(rateMillionths),
  },
  { id: 'from', header: 'From', sort: 'from', cell: ({ validFrom }) => formatDate(validFrom) },
]

const useRateRemoval = () => {
  const removal = useStaffMutation(deleteTaxRate)
  return async (rate: TaxRate) => {
    const title = `Remove the rate for ${placeOf(rate)}?`
    const message = 'The next order is taxed without it. Earlier orders are unchanged.'
    if (!(await confirm({ title, message, confirmText: 'Remove', danger: true }))) return
    const removed = await removal.mutate({ params: { id: rate.id } })
    if (removed.ok) toast('The rate was removed')
  }
}

/** The sales taxes by which orders of all studios are taxed. */
export const TaxesScreen = () => {
  const list = useList()
  const query = useStaffQuery(listTaxRates, { query: list.query })
  const [edited, setEdited] = useState<TaxRate | 'new' | null>(null)
  const remove = useRateRemoval()
  const addButton = (
    <Button icon={Plus} onClick={() => setEdited('new')}>
      New tax rate
    </Button>
  )
  const actionColumn: Column<TaxRate> = {
    id: 'actions',
    header: 'Actions',
    cell: (rate) => (
      <Menu
        label={`Actions for ${placeOf(rate)}, ${taxRateClasses[rate.taxClass]}`}
        icon={Ellipsis}
        align="end"
        items={[
          { label: 'Edit', onSelect: () => setEdited(rate) },
          'separator',
          { label: 'Remove', danger: true, onSelect: () => void remove(rate) },
        ]}
      />
    ),
  }
  return (
    <StaffScreen
      title="Taxes"
      lead={
        <p>
          The rate with the most digits of the customer’s ZIP code applies, and of those the latest. Downloads without a
          rate are taxed as goods; shipping without a rate is not taxed.
        </p>
      }
      actions={addButton}
    >
      <ListScreen
        label="Tax rates"
        searchPlaceholder="State or ZIP code"
        list={list}
        query={query}
        columns={[...columns, actionColumn]}
        idOf={({ id }) => String(id)}
        nameOf={placeOf}
        empty={
          <EmptyState title="No tax rates yet" action={addButton}>
            <p>Orders are not taxed until there is a rate for the customer’s state, or a tax service.</p>
          </EmptyState>
        }
      />
      {edited && <TaxRateDialog rate={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </StaffScreen>
  )
}
