// Bullets and a dragon in C#: mcs Bullets.cs Quadrille.cs && mono Bullets.exe
using System;

static class Bullets {
  static void Main() {
    string[] names = { "bullet", "slow bullet", "dragon" };
    float[] speeds = { 4, 3, -2 };
    var things = new[] { new Box(0, 0, 1, 1), new Box(0, 5, 1, 6), new Box(20, 0, 30, 9) };
    using (var boxes = new Boxes(things)) {
      for (int frame = 1; frame <= 8; frame++) {
        for (int at = 0; at < things.Length; at++) {
          things[at].X0 += speeds[at];
          things[at].X1 += speeds[at];
        }
        boxes.Update(things);
        Pair[] began, ended;
        boxes.Events(out began, out ended);
        foreach (var pair in began) Console.WriteLine("frame {0}: the {1} meets the {2}", frame, names[pair.A], names[pair.B]);
      }
      if (boxes.Query(new Box(-100, -100, 100, 100)).Length != 3) throw new Exception("three things");
      try {
        boxes.Update(new[] { new Box(float.NaN, 0, 1, 1) });
        throw new Exception("NaN was taken");
      } catch (QuadrilleException) {
      }
    }
  }
}
