import { type CustomerRoute, urls } from '../../shell/urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Hold } from './hold.ts'

/** Why the next step waits, and where it can be helped. */
export const HoldNotice = ({ hold, event }: { hold: Hold | null; event: CustomerRoute }) =>
  hold && (
    <Notice
      tone={hold.toCart ? 'attention' : 'info'}
      action={
        hold.toCart && (
          <ButtonLink href={urls.cart(event)} variant="secondary" size="sm">
            Look at the cart
          </ButtonLink>
        )
      }
    >
      {hold.sentence}
    </Notice>
  )
