import type { Generated, Json, Moment } from './columns.ts'

export interface SecondFactorTables {
  totp_secrets: TotpSecrets
  recovery_codes: RecoveryCodes
  passkeys: Passkeys
  spent_tokens: SpentTokens
}

type TotpSecrets = {
  user_id: number
  sealed_secret: string
  last_used_step: number
  created_at: Generated<Moment>
}

type RecoveryCodes = {
  user_id: number
  code_hash: string
  used_at: Moment | null
}

type Passkeys = {
  id: Generated<number>
  user_id: number
  credential_id: string
  public_key: string
  sign_count: number
  transports: Generated<Json<string[]>>
  name: string
  created_at: Generated<Moment>
  last_used_at: Moment | null
}

type SpentTokens = {
  id: string
  expires_at: Moment
}
