import { AcceptInvitation } from './accept-invitation.tsx'
import { Onboarding } from './onboarding.tsx'

export type SetupRoute = { accountNumber?: string | undefined; token?: string | undefined }

/** Where people begin: a studio of their own, or the one that invited them. */
export const SetupScreen = ({ accountNumber = '', token }: SetupRoute) =>
  token ? (
    <AcceptInvitation key={token} token={token} />
  ) : (
    <Onboarding key={accountNumber} accountNumber={accountNumber} />
  )
