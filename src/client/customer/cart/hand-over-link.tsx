import Smartphone from 'lucide-react/icons/smartphone'
import { type CustomerRoute, urls } from '../../shell/urls.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useConnected } from '../use-connected.ts'
import styles from './cart.module.css'

const label = 'Continue on another device'
const look = { variant: 'quiet', icon: Smartphone } as const

/** The way to hand this cart to another device; without a network it stays, and says what it waits for. */
export const HandOverLink = ({ place }: { place: CustomerRoute }) => {
  if (useConnected())
    return (
      <ButtonLink {...look} href={urls.handOver(place)}>
        {label}
      </ButtonLink>
    )
  return (
    <div className={styles.handOver}>
      <Button {...look} aria-disabled="true" aria-describedby="no-hand-over">
        {label}
      </Button>
      <p id="no-hand-over">You’re offline: this needs a connection.</p>
    </div>
  )
}
