import { formatMoney } from '#domain/pricing/money.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import type { Authentication } from '../payment/payment-states.ts'

type BankDialogProps = { cents: number | undefined; onAnswer: (answer: Authentication) => void }

/** The bank's authentication step of the built-in test provider. It requires an answer, so nothing else closes it. */
export const TestBankStep = ({ cents, onAnswer }: BankDialogProps) => (
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
