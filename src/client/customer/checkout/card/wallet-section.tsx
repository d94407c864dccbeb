import { Suspense, useEffect, useState } from 'react'
import type { CartKey } from '#local/store/rows.ts'
import { toast } from '#ui/toast/toast.ts'
import styles from '../checkout.module.css'
import { calculatingTotals } from '../checkout-blocker.ts'
import type { CheckoutState } from '../use-checkout.ts'
import type { WalletApproval } from './card-provider.ts'
import { chooseCard } from './chosen-card.ts'
import { fillInApproval } from './fill-in-approval.ts'
import type { CardState } from './use-card.ts'
import { useWalletPricing } from './use-wallet-pricing.ts'

type WalletSectionProps = {
  cartKey: CartKey
  card: CardState
  checkoutState: CheckoutState
  /** Submits the form with what the wallet filled in, which also shows what it lacks. */
  onFilledIn: () => void
}

/** The provider's wallet, if it has one: its owner's contact, address and card are filled in with one tap. */
export const WalletSection = ({ cartKey, card, checkoutState, onFilledIn }: WalletSectionProps) => {
  const [isAvailable, setAvailable] = useState(false)
  const [isApproved, setIsApproved] = useState(false)
  const { amounts, priceAt, restore, forgetTyped } = useWalletPricing(checkoutState)
  // In an effect, because the form has what the wallet filled in only after it was rendered again.
  useEffect(() => {
    if (!isApproved) return
    setIsApproved(false)
    onFilledIn()
  }, [isApproved, onFilledIn])
  const approve = ({ card: chosen, ...approval }: WalletApproval): void => {
    forgetTyped()
    checkoutState.draft.change((before) => fillInApproval(before, approval, checkoutState.delivery.delivery))
    chooseCard(cartKey, chosen)
    setIsApproved(true)
  }
  const Wallet = card.chosen ? undefined : card.provider?.Wallet
  return (
    Wallet &&
    card.payment && (
      <div className={styles.wallet} data-available={isAvailable || undefined}>
        <Suspense>
          <Wallet
            {...{ amounts, priceAt }}
            payment={card.payment}
            onAvailable={() => setAvailable(true)}
            onUnpriced={() => toast((checkoutState.blocker ?? calculatingTotals).message)}
            onApprove={approve}
            onCancel={restore}
          />
        </Suspense>
        <p className={styles.soft}>or fill in your details</p>
      </div>
    )
  )
}
