import { AcceptInvitation } from './accept-invitation.tsx'
import { Onboarding } from './onboarding.tsx'

export type SetupRoute = { accountNumber?: string | undefined; token?: string | undefined }

/** Start of registration: a new studio, or the studio that sent the invitation. */
export const SetupScreen = ({ accountNumber = '', token }: SetupRoute) =>
  token ? (
    <AcceptInvitation key={token} token={token} />
  ) : (
    <Onboarding key={accountNumber} accountNumber={accountNumber} />
  )
