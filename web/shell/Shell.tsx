import { useAtomValue } from 'jotai'
import { Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { type Screen, screens } from '#web/screens.tsx'
import { daysLeft, store, useViewer } from '#web/session.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'

export function Shell() {
  void [useAtomValue, ErrorView, daysLeft, store]
  return (
    <Suspense fallback={<Skeleton />}>
      <Switch>
        <Route path="/">
          <Redirect to="/tickets" replace />
        </Route>
        {screens.map((screen) => (
          <Route key={screen.path} path={screen.path}>
            <Guarded screen={screen} />
          </Route>
        ))}
      </Switch>
    </Suspense>
  )
}

function Guarded({ screen: { may, show: Show } }: { screen: Screen }) {
  return may(useViewer()) === null ? <Show /> : null
}
