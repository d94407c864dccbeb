import { Suspense, useEffect, useState } from 'react'
import type { CartKey } from '#local/store/rows.ts'
import styles from '../checkout.module.css'
import type { CheckoutDraft } from '../form/use-checkout-draft.ts'
import type { WalletApproval } from './card-provider.ts'
import { chooseCard } from './chosen-card.ts'
import type { CardState } from './use-card.ts'

type WalletSectionProps = {
  cartKey: CartKey
  card: CardState
  draft: Pick<CheckoutDraft, 'change'>
  /** Submits the form with what the wallet filled in, which also shows what it lacks. */
  onFilledIn: () => void
}

/** The provider's wallet, if it has one: its owner's contact, address and card are filled in with one tap. */
export const WalletSection = ({ cartKey, card, draft, onFilledIn }: WalletSectionProps) => {
  const [isApproved, setIsApproved] = useState(false)
  // In an effect, because the form has what the wallet filled in only after it was rendered again.
  useEffect(() => {
    if (!isApproved) return
    setIsApproved(false)
    onFilledIn()
  }, [isApproved, onFilledIn])
  const approve = ({ customer, billingAddress, card: chosen }: WalletApproval): void => {
    draft.change((before) => ({ ...before, customer, billingAddress }))
    chooseCard(cartKey, chosen)
    setIsApproved(true)
  }
  const Wallet = card.chosen ? undefined : card.provider?.Wallet
  return (
    Wallet && (
      <div className={styles.wallet}>
        <Suspense>
          <Wallet onApprove={approve} />
        </Suspense>
        <p className={styles.soft}>or fill in your details</p>
      </div>
    )
  )
}
