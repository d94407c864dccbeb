import { urls } from '../shell/urls.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** The customer not-found screen: an address of a studio that leads to no event of its. */
export const CustomerNotFound = ({ studioSlug }: { studioSlug: string }) => (
  <EmptyState
    title="We could not find this page"
    action={<ButtonLink href={urls.customerStudio({ studioSlug })}>Enter your code</ButtonLink>}
  >
    The link may be old or incomplete. Your code always leads to the right place.
  </EmptyState>
)
