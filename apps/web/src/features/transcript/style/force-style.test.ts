import { transcriptDefaults } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { parseForceStyle, positions, withStyle } from './force-style.ts';

describe('the style of burnt-in text', () => {
  it('has the written values and else the defaults of ffmpeg', () => {
    expect(parseForceStyle(transcriptDefaults.forceStyle)).toEqual({
      fontSize: 16,
      colour: '#ffffff',
      outline: 1,
      outlineColour: '#000000',
      isBoxed: false,
      isBold: false,
      position: 2,
      margin: 20,
    });
    expect(parseForceStyle('fontsize = 24 , PrimaryColour=&H0000FFFF,BorderStyle=3,Bold=-1')).toMatchObject({
      fontSize: 24,
      colour: '#ffff00',
      isBoxed: true,
      isBold: true,
      margin: 10,
    });
  });

  it.each([
    ['&H0A0B0C', '#0c0b0a'],
    ['&HFF0A0B0C&', '#0c0b0a'],
    ['&h000000ff', '#ff0000'],
    ['red', '#ffffff'],
    ['&H12', '#ffffff'],
    ['', '#ffffff'],
  ])('reads the colour %s as %s', (value, colour) => {
    expect(parseForceStyle(`PrimaryColour=${value}`).colour).toBe(colour);
  });

  it('changes edited values in place and keeps all others', () => {
    expect(withStyle('Alignment=2,MarginV=20', { position: 6 })).toBe('Alignment=6,MarginV=20');
    expect(withStyle('alignment=2, Fontname=Noto Sans,MarginV=20', { margin: 8, fontSize: 20 })).toBe(
      'alignment=2,Fontname=Noto Sans,MarginV=8,Fontsize=20',
    );
    expect(withStyle('', { colour: '#ff8000', isBoxed: true })).toBe('PrimaryColour=&H000080FF,BorderStyle=3');
  });

  it('parses what it has written', () => {
    const style = {
      ...parseForceStyle(''),
      fontSize: 22,
      colour: '#12ab9f',
      outlineColour: '#010203',
      isBold: true,
      margin: 0,
    };
    expect(parseForceStyle(withStyle('Shadow=1', style))).toEqual(style);
  });

  it('offers each of the nine positions once', () => {
    expect(new Set(positions.map(([value]) => value)).size).toBe(9);
  });

  it.each(['=,=,=', 'Fontsize=,Outline=abc', ',,,', 'Alignment'])('parses %j without failing', (text) => {
    expect(parseForceStyle(text)).toMatchObject({ fontSize: 16, outline: 1, position: 2 });
    expect(parseForceStyle(withStyle(text, { fontSize: 30 })).fontSize).toBe(30);
  });
});
