import Wallet from 'lucide-react/icons/wallet'
import { useEffect } from 'react'
import { Button } from '#ui/button/button.tsx'
import type { WalletApproval, WalletProps } from '../card/card-provider.ts'

/** The contact, address and card in the test wallet. */
const approval: WalletApproval = {
  customer: { name: 'Tess Walleton', email: 'tess.walleton@example.com', phone: '9375550134' },
  billingAddress: {
    name: '',
    address1: '1 Test Street',
    address2: '',
    city: 'Dayton',
    state: 'OH',
    zip: '45402',
  },
  card: { token: 'test_visa', ending: '4242' },
}

/** The wallet of the built-in test provider, instead of Apple Pay or Google Pay. */
export const TestWallet = ({ onAvailable, onApprove }: WalletProps) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is available once
  useEffect(onAvailable, [])
  return (
    <Button variant="secondary" size="lg" icon={Wallet} wide onClick={() => onApprove(approval)}>
      Pay with test wallet
    </Button>
  )
}
