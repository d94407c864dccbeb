import Smartphone from 'lucide-react/icons/smartphone'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { useConnected } from '#platform/use-connected.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import styles from './cart.module.css'

const label = 'Continue on another device'
const buttonProps = { variant: 'quiet', icon: Smartphone } as const

/** The link that hands this cart over to another device. Offline it is disabled and shows the reason. */
export const HandOverLink = ({ route }: { route: CustomerRoute }) => {
  if (useConnected())
    return (
      <ButtonLink {...buttonProps} href={urls.handOver(route)}>
        {label}
      </ButtonLink>
    )
  return (
    <div className={styles.handOver}>
      <Button {...buttonProps} aria-disabled="true" aria-describedby="no-hand-over">
        {label}
      </Button>
      <p id="no-hand-over">You’re offline: this needs a connection.</p>
    </div>
  )
}
