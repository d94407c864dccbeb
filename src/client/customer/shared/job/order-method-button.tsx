import type { ReactNode } from 'react'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { Button } from '#ui/button/button.tsx'

const labels = { gallery: 'Choose from your photos instead', prepay: 'Order without choosing photos' } as const

type OrderMethodButtonProps = {
  /** The method that the button switches to. */
  method: OrderMethod
  onClick?: () => void
  /** Follows the label. */
  children?: ReactNode
}

export const OrderMethodButton = ({ method, onClick, children }: OrderMethodButtonProps) => (
  <div>
    <Button variant="secondary" size="sm" onClick={onClick}>
      {labels[method]}
      {children}
    </Button>
  </div>
)
