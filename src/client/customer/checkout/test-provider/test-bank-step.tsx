import { formatMoney } from '#domain/pricing/money.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import type { BankStepProps } from '../card/card-provider.ts'

/** The bank's authentication step of the built-in test provider. It requires an answer, so nothing else closes it. */
export const TestBankStep = ({ cents, onAnswer }: BankStepProps) => (
  <Dialog
    open
    onClose={() => onAnswer('cancelled')}
    closable={false}
    size="small"
    title="Test bank"
    description={cents === undefined ? 'Is this payment yours?' : `Is this payment of ${formatMoney(cents)} yours?`}
    actions={
      <>
        <Button variant="secondary" onClick={() => onAnswer('cancelled')}>
          Cancel
        </Button>
        <Button onClick={() => onAnswer('confirmed')}>Confirm</Button>
      </>
    }
  />
)
