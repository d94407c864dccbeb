import Send from 'lucide-react/icons/send'
import { formatOrderCount } from '#client/staff/kit/screen/format.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import type { BulkActions, OrderSelection } from './use-bulk-actions.ts'

/** Submits the selected orders to the lab. Orders that are not ready stay. */
export const SubmitOrdersButton = ({
  selection,
  bulkActions,
}: {
  selection: OrderSelection
  bulkActions: BulkActions
}) => {
  const submit = async () => {
    const isSure = await confirm({
      title: `Submit ${formatOrderCount(selection.count)} to the lab?`,
      message: 'Orders missing an image or a text stay here. You can recall them until the lab begins.',
      confirmText: 'Submit',
    })
    if (isSure && (await bulkActions.submitToLab(selection.selectedOrders))) selection.change(new Set())
  }
  return (
    <Button size="sm" icon={Send} loading={bulkActions.busy} onClick={() => void submit()}>
      Submit to the lab
    </Button>
  )
}
