import type { ReactNode } from 'react'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Plain } from './plain.tsx'
import { urls } from './urls.ts'

type TroubleProps = { title: string; children: ReactNode }

/** A screen that says what happened, what was kept and what to do. */
export const Trouble = ({ title, children }: TroubleProps) => (
  <Plain title={title}>
    {children}
    <div>
      <Button onClick={() => window.location.reload()}>Load again</Button>{' '}
      <ButtonLink href={urls.home()} variant="secondary">
        Go to the start
      </ButtonLink>
    </div>
  </Plain>
)
