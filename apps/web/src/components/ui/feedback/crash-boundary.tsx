import { Component, type ReactNode } from 'react';

interface CrashBoundaryProps {
  children: ReactNode;
  fallback: (error: unknown, reset: () => void) => ReactNode;
}

interface CrashState {
  crash: { error: unknown } | undefined;
}

/** Catches render errors. Failed calls do not reach it. */
export class CrashBoundary extends Component<CrashBoundaryProps, CrashState> {
  override state: CrashState = { crash: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { crash: { error } };
  }

  override render() {
    const { crash } = this.state;
    if (!crash) return this.props.children;
    return this.props.fallback(crash.error, () => this.setState({ crash: undefined }));
  }
}
