import Send from 'lucide-react/icons/send'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { formatOrderCount } from '../order-format.ts'
import type { BulkActions } from './use-bulk-actions.ts'
import type { OrderSelection } from './use-order-selection.ts'

/** Submits the selected orders to the lab, as far as they are ready. */
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
      message: 'What still lacks a picture or a text stays here. You can take it back until the lab begins.',
      confirmText: 'Submit',
    })
    if (isSure && (await bulkActions.submitToLab(selection.which))) selection.change(new Set())
  }
  return (
    <Button size="sm" icon={Send} loading={bulkActions.busy} onClick={() => void submit()}>
      Submit to the lab
    </Button>
  )
}
