import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { Failed } from '../../local/ask.ts'
import { type CustomerRoute, urls } from '../shell/urls.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { toastError } from '../ui/toast.ts'
import styles from './layout.module.css'

/** The customer not-found screen: an address of a studio that leads to no event of its. */
export const CustomerNotFound = ({ studioSlug }: { studioSlug: string }) => (
  <div className={styles.message}>
    <h1>We could not find this page</h1>
    <p>The link may be old or incomplete. Your code always leads to the right place.</p>
    <div>
      <ButtonLink href={urls.customerStudio({ studioSlug })}>Enter your code</ButtonLink>
    </div>
  </div>
)

/** The event is open to this customer, but what it says did not arrive. */
export const LayoutTrouble = ({ problem, again }: { problem: Failed; again: () => void }) => (
  <div className={styles.message}>
    <h1>This did not load</h1>
    <p>{problem.errors[0]}. Anything you chose is kept on this phone.</p>
    <div>
      <Button onClick={again}>Try again</Button>
    </div>
  </div>
)

/** Nobody this device knows: back to where people are chosen, and why. */
export const UnknownPerson = (place: CustomerRoute) => {
  const [, navigate] = useLocation()
  const search = urls.subjectSearch(place)
  useEffect(() => {
    toastError(['This phone does not know that person. Choose or type in who you are ordering for'])
    navigate(search, { replace: true })
  }, [search, navigate])
  return null
}
